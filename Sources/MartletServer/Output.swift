import Glibc

/// What is there at once, whoever reads it: without the C library's buffer.
enum Output {
  static func line(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
    var line = text + "\n"
    line.withUTF8 { _ = write(UnsafeRawBufferPointer($0), to: descriptor) }
  }

  /// Writes as much as is taken, and waits where there is no room, also where whoever shares the descriptor has made it
  /// one that does not wait. Gives how many bytes; where that is not all, `errno` tells why.
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
