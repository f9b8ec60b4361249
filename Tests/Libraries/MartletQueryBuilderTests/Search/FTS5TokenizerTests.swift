import MartletQueryBuilder
import Testing

@Suite struct FTS5TokenizerTests {
  @Test func options() {
    func option(_ tokenizer: FTS5Tokenizer) -> String { tokenizer.option.prepare().sql }
    #expect(option(.trigram()) == "tokenize = 'trigram'")
    #expect(option(.trigram(isCaseSensitive: true)) == "tokenize = 'trigram case_sensitive 1'")
    #expect(option(.unicode61()) == "tokenize = 'unicode61'")
    #expect(
      option(.porter(.unicode61(diacritics: .removed)))
        == "tokenize = 'porter unicode61 remove_diacritics 2'")
    #expect(option(.porter()) == "tokenize = 'porter unicode61'")
    #expect(
      option(.ascii(tokenCharacters: "-_", separators: "x"))
        == "tokenize = 'ascii tokenchars ''-_'' separators ''x'''")
    #expect(option(.custom("mine", "a b")) == "tokenize = '''mine'' ''a b'''")
  }
}
