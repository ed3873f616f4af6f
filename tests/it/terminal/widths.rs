//! Pages on narrow and wide screens: nothing is wider than the screen, and no figure or word of them is broken.

use unicode_width::UnicodeWidthStr;

use crate::stage::Stage;

/// Everything on a page that is a figure or a date.
fn figures(text: &str) -> Vec<&str> {
    let digit = |word: &&str| word.contains(|c: char| c.is_ascii_digit());
    let mut all: Vec<&str> = text.split_whitespace().filter(digit).collect();
    all.sort_unstable();
    all
}

/// Tables keep to a screen of 40, 80 and 120 columns, and every figure and day is there in one piece.
#[test]
fn tables_keep_to_the_screen() {
    let stage = Stage::demo();
    let pages = [
        "chart list",
        "account register 1000",
        "entry search rent",
        "entry show 4",
        "report trial-balance",
        "report balance-sheet",
        "report profit-and-loss --start 2025-01-01 --end 2025-12-31",
        "ops",
    ];
    for page in pages {
        let whole = stage.must(page).out;
        for width in [40, 80, 120] {
            let said = stage.on(Some(width), page);
            assert_eq!((said.exit, said.err.as_str()), (0, ""), "{page}");
            let wide: Vec<&str> = said
                .out
                .lines()
                .filter(|line| line.width() > width)
                .collect();
            assert_eq!(wide, Vec::<&str>::new(), "{page} at {width}");
            assert_eq!(
                figures(&said.out),
                figures(&whole),
                "{page} at {width}:\n{}",
                said.out
            );
            assert!(!said.out.contains("Descriptio\n"), "{page} at {width}");
        }
    }
}

/// Chapters keep to the screen but for their examples, which can be copied.
#[test]
fn chapters_keep_to_the_screen() {
    let stage = Stage::empty();
    for chapter in ["chart", "company", "entry", "import", "report", "upkeep"] {
        for width in [40, 80, 120] {
            let said = stage.on(Some(width), &format!("help {chapter}"));
            assert_eq!(said.exit, 0, "{said:?}");
            let wide: Vec<&str> = said
                .out
                .lines()
                .filter(|line| line.width() > width && !line.starts_with("    "))
                .collect();
            assert_eq!(wide, Vec::<&str>::new(), "{chapter} at {width}");
        }
    }
}

/// `wb help` lists every chapter.
#[test]
fn help_lists_the_chapters() {
    let said = Stage::empty().must("help");
    for chapter in ["chart", "company", "entry", "import", "report", "upkeep"] {
        assert!(
            said.out.contains(&format!("\n  {chapter:<8} ")),
            "{chapter}: {}",
            said.out
        );
    }
}
