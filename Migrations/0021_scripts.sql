-- Words in scripts without blanks: the marks of Thai, Lao, Burmese, Khmer and Japanese are characters of words, not
-- separators. The triggers separate the characters of these scripts with U+001F. The program fills the index after its
-- migrations, because the text of its rows comes from the code of the triggers.
DROP TABLE IF EXISTS reminderTexts;
CREATE VIRTUAL TABLE reminderTexts USING fts5 (
  title,
  notes,
  tags,
  tokenize = 'unicode61 remove_diacritics 2 tokenchars ''ัิีึืฺุู็่้๊๋์ํ๎ັິີຶື຺ຸູົຼ່້໊໋໌ໍ໎ါာိီုူေဲဳဴဵံ့း္်ျြွှၖၗၘၙၞၟၠၢၣၤၧၨၩၪၫၬၭၱၲၳၴႂႃႄႅႆႇႈႉႊႋႌႍႏႚႛႜႝ឴឵ាិីឹឺុូួើឿៀេែៃោៅំះៈ៉៊់៌៍៎៏័៑្៓゙゚៝''',
  prefix = '2 3'
);
