import MartletJSON

/// A component of a calendar with its properties and the components inside, for questions about a
/// text that is already known to be a calendar.
package struct CalendarComponent: Sendable {
  /// The name, in upper case.
  package let name: String
  package var properties: [ContentLine] = []
  package var components: [CalendarComponent] = []

  package init(_ name: String) { self.name = name }

  /// Parses a text. `nil` if it is no calendar.
  package init?(parsing text: String) {
    var reader = CalendarReader()
    var open: [CalendarComponent] = []
    var root: CalendarComponent?
    func take(_ step: CalendarReader.Step) {
      switch step.kind {
      case .begin(let name): open.append(CalendarComponent(name))
      case .property: open[open.count - 1].properties.append(step.line)
      case .end:
        let done = open.removeLast()
        if open.isEmpty {
          root = root ?? done
        } else {
          open[open.count - 1].components.append(done)
        }
      }
    }
    var text = text
    let isRead = text.withUTF8 { bytes -> Bool in
      for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
        do throws(CalendarError) {
          if let step = try reader.read(UnsafeBufferPointer(rebasing: line)) { take(step) }
        } catch { return false }
      }
      do throws(CalendarError) {
        if let step = try reader.finish() { take(step) }
      } catch { return false }
      return true
    }
    guard isRead, let root else { return nil }
    self = root
  }

  /// Writes the component.
  package func write(into buffer: ByteBuffer) {
    ContentLine.write("BEGIN:\(name)", into: buffer)
    for line in properties { ContentLine.write(line.text, into: buffer) }
    for component in components { component.write(into: buffer) }
    ContentLine.write("END:\(name)", into: buffer)
  }

  /// The text of the component.
  package var text: String {
    let buffer = ByteBuffer(capacity: 1024)
    write(into: buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  /// The first property with a name.
  package func first(_ name: String) -> ContentLine? { properties.first { $0.name == name } }

  /// The lines of the components inside, as they are stored.
  package var lines: [[String]] { components.map { $0.allLines } }

  /// All lines, from `BEGIN` to `END`.
  package var allLines: [String] {
    ["BEGIN:\(name)"] + properties.map(\.text) + components.flatMap(\.allLines) + ["END:\(name)"]
  }
}
