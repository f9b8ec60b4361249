/// A table for people.
enum TextTable {
  /// The lines of a table. Pads the cells so that each column is as wide as its widest cell.
  static func lines(_ rows: [[String]]) -> [String] {
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    return rows.map { row in
      zip(row, widths).enumerated().map { place, cell in
        let padding = place < row.count - 1 ? max(cell.1 - cell.0.count, 0) : 0
        return cell.0 + String(repeating: " ", count: padding)
      }.joined(separator: "  ")
    }
  }
}
