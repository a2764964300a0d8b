use super::*;
use shakmaty::{Color, KnownOutcome};

fn tokens(text: &str) -> io::Result<Vec<(Token, String)>> {
    let mut lexer = Lexer::new(text.as_bytes());
    let mut tokens = Vec::new();
    loop {
        let mut token = lexer.next()?;
        let text = match token {
            Token::End => return Ok(tokens),
            Token::Bracket => {
                token = Token::Comment(lexer.tag()?);
                format!("{}={}", String::from_utf8_lossy(lexer.name()), String::from_utf8_lossy(lexer.text()))
            }
            Token::Comment(_) | Token::Word => String::from_utf8_lossy(lexer.text()).into_owned(),
            _ => String::new(),
        };
        tokens.push((token, text));
    }
}

fn texts(text: &str) -> io::Result<Vec<String>> {
    Ok(tokens(text)?.into_iter().map(|(_, text)| text).collect())
}

fn kinds(text: &str) -> io::Result<Vec<Token>> {
    Ok(tokens(text)?.into_iter().map(|(token, _)| token).collect())
}

#[test]
fn moves_and_numbers_need_no_space() -> io::Result<()> {
    let number = |number, dots| Token::Number { number, dots };
    assert_eq!(kinds("1.e4 e5 2 . Nf3")?, [number(1, 1), Token::Word, Token::Word, number(2, 0), Token::Word]);
    assert_eq!(kinds("12...0-0(")?, [number(12, 3), Token::Word, Token::Open]);
    assert_eq!(kinds("99999999999999999999999.")?, [number(u64::MAX, 1)]);
    assert_eq!(texts("e4!exd6e.p. Qxh9 }")?, ["e4", "", "exd6e.p.", "Qxh9", "}"]);
    Ok(())
}

#[test]
fn results_are_told_from_numbers_and_castling() -> io::Result<()> {
    let white = Token::Result(Outcome::Known(KnownOutcome::Decisive { winner: Color::White }));
    let black = Token::Result(Outcome::Known(KnownOutcome::Decisive { winner: Color::Black }));
    let draw = Token::Result(Outcome::Known(KnownOutcome::Draw));
    assert_eq!(
        kinds("1-0 0-1 0-0 1/2-1/2 ½-½ 1–0 1/2 * 1-2")?,
        [white, black, Token::Word, draw, draw, white, draw, Token::Result(Outcome::Unknown), Token::Word]
    );
    Ok(())
}

#[test]
fn glyphs() -> io::Result<()> {
    let nags: Vec<Token> = [1, 2, 3, 4, 5, 6, 255].map(|nag| Token::Nag(Some(Nag(nag)))).to_vec();
    assert_eq!(kinds("! ? !! ?? !? ?! $255")?, nags);
    assert_eq!(kinds("$256 $ $99999999999999999999")?, [Token::Nag(None); 3]);
    Ok(())
}

#[test]
fn tags_with_and_without_escapes() -> io::Result<()> {
    assert_eq!(texts(r#"[ Event  "The \"Big\" Open \\ \x" ][Site "?"]"#)?, [r#"Event=The "Big" Open \ \x"#, "Site=?"]);
    assert_eq!(
        texts("[Event \"The \"Big\" Open\"  ]\n[Site \"no end\n[Round 3]")?,
        [r#"Event=The "Big" Open"#, "Site=no end", "Round=3"]
    );
    assert_eq!(texts("[\"x\"] [] [")?, ["=x", "=", "="]);
    Ok(())
}

#[test]
fn comments_of_both_kinds_and_escaped_lines() -> io::Result<()> {
    assert_eq!(texts("%no\n{a\n%b}e4;c}\n% no\nd4 %")?, ["a\n%b", "e4", "c}", "d4", "%"]);
    assert_eq!(tokens("{a")?, [(Token::Comment(Extent::Unclosed), "a".to_owned())]);
    Ok(())
}

#[test]
fn blank_lines_are_noticed() -> io::Result<()> {
    for (text, expected) in [("a\nb", false), ("a\n \nb", true), ("a\n%\nb", false), ("a\n%\n\nb", true)] {
        let mut lexer = Lexer::new(text.as_bytes());
        lexer.next()?;
        lexer.next()?;
        assert_eq!(lexer.after_blank_line(), expected, "{text:?}");
    }
    Ok(())
}

#[test]
fn an_open_comment_ends_before_the_next_game() -> io::Result<()> {
    let found = tokens("{a\n[Ev\n\n[Event \"b\"]\ne4")?;
    assert_eq!(found[0].0, Token::Comment(Extent::Unclosed));
    let rest = [(Token::Comment(Extent::Whole), "Event=b".to_owned()), (Token::Word, "e4".to_owned())];
    assert_eq!(found[1..], rest);
    Ok(())
}

#[test]
fn byte_order_marks_are_passed_over() -> io::Result<()> {
    assert_eq!(
        texts("\u{feff}%no\n\u{feff}[Event \"a\"]\n\u{feff}1. e4 \u{feff}2.e5")?,
        ["Event=a", "", "e4", "", "e5"]
    );
    Ok(())
}

#[test]
fn nothing_grows_without_bound() -> io::Result<()> {
    let long = "x".repeat(3 * MAX_TEXT);
    for (text, longest) in
        [(format!("{{{long}}}"), MAX_TEXT), (format!("[A \"{long}\"]"), MAX_TEXT + 2), (long, MAX_WORD)]
    {
        let tokens = tokens(&text)?;
        assert_eq!(tokens.len(), 1);
        assert_eq!(tokens[0].1.len(), longest);
        assert!(matches!(tokens[0].0, Token::Comment(Extent::TooLong) | Token::Word));
    }
    Ok(())
}
