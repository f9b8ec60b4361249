import Glibc

/// Unbuffered output, which does not use the C library's buffers.
enum Output {
  /// Writes a line.
  static func line(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
    var line = text + "\n"
    line.withUTF8 { _ = write(UnsafeRawBufferPointer($0), to: descriptor) }
  }

  /// Writes the bytes and returns how many were written; if not all, `errno` has the reason.
  ///
  /// Waits if the descriptor has no room, even if another process that shares it has made it
  /// nonblocking.
  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
    var done = 0
    while done < bytes.count, let start = bytes.baseAddress {
      let count = Glibc.write(descriptor, start + done, bytes.count - done)
      if count > 0 {
        done += count
      } else if count < 0, errno == EAGAIN {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&entry, 1, 1000)
      } else if count == 0 || errno != EINTR {
        break
      }
    }
    return done
  }
}
