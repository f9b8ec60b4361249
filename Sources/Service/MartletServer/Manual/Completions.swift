/// The completions of shells, made of the tables that `--help` prints.
enum Completions {
  /// The path of each file below a folder of completions, and its text.
  static var all: [(name: String, text: String)] {
    [("bash/martlet", bash), ("zsh/_martlet", zsh), ("fish/martlet.fish", fish)]
  }

  private static let commands = Command.listed

  /// The kind of value that a flag takes.
  private enum Value { case none, file, folder, anything, choice([String]) }

  private static func value(of setting: Setting) -> Value {
    if !setting.choices.isEmpty { return .choice(setting.choices) }
    return switch setting.form.placeholder {
    case "": .none
    case "FILE": .file
    case "DIR": .folder
    default: .anything
    }
  }

  // bash: https://www.gnu.org/software/bash/manual/html_node/Programmable-Completion.html

  private static var bash: String {
    var text = """
      # Completions of martlet for bash.
      _martlet() {
        local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD - 1]}"
        local command=serve flags="" operands=""
        [[ $COMP_CWORD -gt 1 && ${COMP_WORDS[1]} != -* ]] && command="${COMP_WORDS[1]}"
        case "$command" in

      """
    for command in commands {
      text += "    \(command.rawValue))\n"
      let flags = command.settings.map { "--\($0.flag)" } + ["--help"]
      text += "      flags=\"\(flags.joined(separator: " "))\"\n"
      let operands = command.subcommands.joined(separator: " ")
      text += operands.isEmpty ? "" : "      operands=\"\(operands)\"\n"
      for setting in command.settings { text += bash(setting) }
      text += command.takesFile ? "      compopt -o default\n" : ""
      text += "      ;;\n"
    }
    let names = commands.map(\.rawValue).joined(separator: " ")
    return text + """
          help) operands="\(names)" ;;
        esac
        [[ $COMP_CWORD -eq 1 && $word != -* ]] && operands="\(names) help"
        [[ $word == -* ]] && operands="$flags"
        mapfile -t COMPREPLY < <(compgen -W "$operands" -- "$word")
      }
      complete -F _martlet martlet

      """
  }

  private static func bash(_ setting: Setting) -> String {
    let action: String
    switch value(of: setting) {
    case .none: return ""
    case .file: action = "compopt -o default; COMPREPLY=()"
    case .folder: action = "mapfile -t COMPREPLY < <(compgen -d -- \"$word\")"
    case .anything: action = "COMPREPLY=()"
    case .choice(let all):
      action = "mapfile -t COMPREPLY < <(compgen -W \"\(all.joined(separator: " "))\" -- \"$word\")"
    }
    return "      [[ $before == --\(setting.flag) ]] && { \(action); return; }\n"
  }

  // zsh: https://zsh.sourceforge.io/Doc/Release/Completion-System.html

  private static var zsh: String {
    var text = """
      #compdef martlet
      # Completions of martlet for zsh.
      local -a commands
      commands=(

      """
    for command in commands {
      text += "  \(quoted("\(command.rawValue):\(short(command.summary))"))\n"
    }
    text += """
        'help:show the flags of a command'
      )
      local command=serve
      if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
        _describe -t commands command commands
        return
      fi
      if [[ $words[2] != -* ]]; then
        command=$words[2]
        shift words
        (( CURRENT-- ))
      fi
      case $command in

      """
    for command in commands {
      text += "  \(command.rawValue))\n    _arguments \\\n"
      for setting in command.settings { text += "      \(zsh(setting)) \\\n" }
      if !command.subcommands.isEmpty {
        text += "      '1:command:(\(command.subcommands.joined(separator: " ")))' \\\n"
      }
      text += command.takesFile ? "      '1:file:_files' \\\n" : ""
      text += "      '--help[show the flags]'\n    ;;\n"
    }
    return text + "  help) _describe -t commands command commands ;;\nesac\n"
  }

  private static func zsh(_ setting: Setting) -> String {
    var text = setting.form.isRepeatable ? "*--\(setting.flag)" : "--\(setting.flag)"
    // In a description, brackets and colons have a meaning.
    let help = short(setting.help).map { "[]:\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    text += "[\(help)]"
    switch value(of: setting) {
    case .none: break
    case .file: text += ":file:_files"
    case .folder: text += ":folder:_files -/"
    case .anything: text += ":\(setting.form.placeholder.lowercased()): "
    case .choice(let all): text += ":value:(\(all.joined(separator: " ")))"
    }
    return quoted(text)
  }

  // fish: https://fishshell.com/docs/current/completions.html

  private static var fish: String {
    let names = commands.map(\.rawValue).joined(separator: " ")
    let none = "not __fish_seen_subcommand_from \(names) help"
    var text = """
      # Completions of martlet for fish.
      complete -c martlet -f
      complete -c martlet -n "\(none)" -a help -d "show the flags of a command"
      complete -c martlet -n "__fish_seen_subcommand_from help" -a "\(names)"

      """
    // Without a command it serves.
    text += Command.serve.settings.map { option($0, if: none) }.joined()
    for command in commands {
      text += "complete -c martlet -n \"\(none)\" -a \(command.rawValue) "
      text += "-d \(quoted(short(command.summary)))\n"
      let seen = "__fish_seen_subcommand_from \(command.rawValue)"
      for setting in command.settings { text += option(setting, if: seen) }
      for each in command.subcommands {
        text += "complete -c martlet -n \"\(seen)\" -a \(each)\n"
      }
      text += command.takesFile ? "complete -c martlet -n \"\(seen)\" -F\n" : ""
    }
    return text
  }

  /// The line of fish that completes a flag.
  private static func option(_ setting: Setting, if condition: String) -> String {
    var text = "complete -c martlet -n \"\(condition)\" -l \(setting.flag)"
    switch value(of: setting) {
    case .none: break
    case .file: text += " -r -F"
    case .folder: text += " -x -a \"(__fish_complete_directories)\""
    case .anything: text += " -x"
    case .choice(let all): text += " -x -a \"\(all.joined(separator: " "))\""
    }
    return text + " -d \(quoted(short(setting.help)))\n"
  }

  /// Up to the first semicolon: a completion has one line.
  private static func short(_ help: String) -> String { String(help.prefix { $0 != ";" }) }

  /// In single quotes, for all three shells.
  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
