import Martlet

@Table
struct User {
  let id: Int
  var name: String
  var email: String
  var active = true
  @Column(lazyInitializable: true) var createdAt: Instant
}

@Table
struct Post {
  let id: Int
  var userID: User.ID
  var title: String
  var text = ""
  /// `nil` for a draft.
  var publishedAt: Instant?
}

extension User {
  typealias ID = Int
  static let active = Self.where { $0.active }
}

extension Post {
  static let published = Self.where { $0.publishedAt != nil }
}

/// A user as the API returns it.
@Selection
struct UserItem {
  let id: Int
  let name: String
  let active: Bool
  let createdAt: Instant
  let posts: Int
}

@Selection
struct PostItem {
  let id: Int
  let title: String
  let text: String
  let publishedAt: Instant?
  let author: Author
  @Selection struct Author {
    let id: Int
    let name: String
  }
}

@Selection
struct Statistics {
  let users: Int
  let activeUsers: Int
  let publishedPosts: Int
}

enum Schema {
  static let migrator: Migrator = {
    var migrator = Migrator([
      Migration(
        number: 1, name: "users and posts",
        sql: """
          CREATE TABLE users (
            id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, email TEXT NOT NULL UNIQUE,
            active INTEGER NOT NULL DEFAULT 1,
            createdAt TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))
          ) STRICT;
          CREATE TABLE posts (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            userID INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            title TEXT NOT NULL, text TEXT NOT NULL DEFAULT '', publishedAt TEXT
          ) STRICT;
          CREATE INDEX posts_user ON posts (userID);
          """)
    ])
    // The program does not start if these types do not match the file's schema.
    migrator.tables = [User.self, Post.self]
    return migrator
  }()
}

/// The queries of the service.
enum Queries {
  static func users(onlyActive: Bool) -> Select<User.TableColumns, UserItem, UserItem> {
    User.where { user in
      if onlyActive { user.active }
    }
    .select { user in
      UserItem.Columns(
        id: user.id, name: user.name, active: user.active, createdAt: user.createdAt,
        posts: Post.published.where { $0.userID == user.id }.count())
    }
  }

  static func posts(of user: User.ID? = nil) -> Select<
    (Post.TableColumns, User.TableColumns), PostItem, PostItem
  > {
    Post.published.where { post in
      if let user { post.userID == user }
    }
    .join(User.active) { $0.userID == $1.id }
    .select { post, user in
      PostItem.Columns(
        id: post.id, title: post.title, text: post.text, publishedAt: post.publishedAt,
        author: PostItem.Author.Columns(id: user.id, name: user.name))
    }
  }

  static let statistics = Values(
    Statistics.Columns(
      users: User.count(), activeUsers: User.active.count(), publishedPosts: Post.published.count())
  )
}
