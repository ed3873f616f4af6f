//! Classes and amounts in other currencies: how they are drawn, what they must come to, and that classes sum to the whole.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{
    Machine,
    generate::Draw,
    judge::{AMOUNT_MINOR_MAX, Change, Noes, amount, kept, no, text},
    model::{Model, minor, money},
};

/// Names of classes, some of which are one name and one of which may be another's id.
const NAMES: &[&str] = &[
    "Rondo",
    "rondo ",
    "R\u{d3}NDO",
    "Coach vs Coach",
    "2",
    "North",
    "South",
];
/// Currencies and their decimals.
const CURRENCIES: &[(&str, usize)] = &[("EUR", 2), ("JPY", 0), ("BHD", 3)];
/// Rates as text, and as digits with so many decimals.
const RATES: &[(&str, i128, u32)] = &[
    ("1.0825", 10_825, 4),
    ("0.0067123", 67_123, 7),
    ("2.6525", 26_525, 4),
    ("0.005", 5, 3),
    ("1", 1, 0),
];

/// A name as names are compared, for the few that the machine sends.
fn folded(name: &str) -> String {
    let name = name.trim().to_lowercase();
    name.replace('\u{f3}', "o").replace('\u{e9}', "e")
}

/// Units of a currency at a rate in cents, half away from zero: worked with whole numbers of its own.
fn base(units_minor: i128, decimals: usize, rate: (i128, u32)) -> i128 {
    let unit = 10_i128.pow(u32::try_from(decimals).expect("few") + rate.1);
    let hundredths = units_minor * rate.0 * 100;
    (hundredths * 2 + unit) / (unit * 2)
}

impl Draw<'_> {
    pub fn class_name(&mut self) -> String {
        if self.chance.percent(30) {
            return self.chance.text().0;
        }
        self.chance.pick(NAMES).to_owned()
    }

    /// Gives a line a class, now and then.
    pub fn tag(&mut self, line: &mut Value) {
        if self.chance.percent(70) {
            return;
        }
        let count = self.model.classes.len();
        if count == 0 {
            return;
        }
        let place = self.chance.below(count);
        line["class"] = match self.chance.below(4) {
            0 => json!(place + 1),
            1 => json!(format!("id:{}", place + 1)),
            2 => json!(self.model.classes[place].to_uppercase()),
            _ => json!(self.model.classes[place]),
        };
    }

    /// Puts an amount in another currency in the place of a line's; gives what it comes to.
    fn measured(&mut self, line: &mut Value) -> i128 {
        let (currency, decimals) = self.chance.pick(CURRENCIES);
        let (rate, digits, scale) = self.chance.pick(RATES);
        let units = i128::try_from(1 + self.chance.below(5_000_000)).expect("it fits");
        let units = if self.chance.percent(10) { 1 } else { units };
        line["foreign_currency"] = currency.into();
        line["foreign_amount"] = plain(units, decimals).into();
        line["fx_rate"] = rate.into();
        line.as_object_mut().expect("an object").remove("amount");
        base(units, decimals, (digits, scale))
    }

    /// The same, now and then with an amount beside it that may be another, or with a part missing.
    pub fn original(&mut self, line: &mut Value) -> i128 {
        let comes_to = self.measured(line);
        match self.chance.below(8) {
            0 => line["amount"] = money(comes_to + 1).into(),
            1 => line["amount"] = money(comes_to).into(),
            _ => {}
        }
        if self.chance.percent(5) {
            let key = self.chance.pick(PARTS);
            line.as_object_mut().expect("an object").remove(key);
        }
        comes_to
    }

    /// Gives two lines of one amount classes and one original, now and then, so that they still balance and can be posted.
    pub fn enrich(&mut self, one: &mut Value, other: &mut Value) {
        self.tag(one);
        self.tag(other);
        if self.chance.percent(75) {
            return;
        }
        let plain = one.clone();
        if self.measured(one) == 0 {
            *one = plain;
            return;
        }
        for key in PARTS {
            other[*key] = one[*key].clone();
        }
        if self.chance.percent(50) {
            other.as_object_mut().expect("an object").remove("amount");
            return;
        }
        // The other side stands in the books' currency alone.
        let base = self.model.moved(one).expect("it was measured").0;
        for key in PARTS {
            other.as_object_mut().expect("an object").remove(*key);
        }
        other["amount"] = money(base).into();
    }
}

/// What makes an original.
const PARTS: &[&str] = &["foreign_currency", "foreign_amount", "fx_rate"];

/// Minor units with so many decimals.
fn plain(minor: i128, decimals: usize) -> String {
    let digits = format!("{minor:0>width$}", width = decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    match decimals {
        0 => whole.to_owned(),
        _ => format!("{whole}.{fraction}"),
    }
}

/// What a line moves, and its original in words.
type Moved = (i128, Option<(String, String, String)>);

impl Model {
    pub fn class(&self, id: i64) -> Option<&str> {
        let place = usize::try_from(id).ok()?.checked_sub(1)?;
        self.classes.get(place).map(String::as_str)
    }

    /// The class that a reference names, or why none.
    pub fn class_of(&self, reference: &Value) -> Result<i64, &'static str> {
        let text = match reference.as_i64() {
            Some(id) => id.to_string(),
            None => reference.as_str().expect("text").trim().to_owned(),
        };
        let id = |text: &str| text.parse().ok().filter(|id| self.class(*id).is_some());
        if let Some(only) = text.strip_prefix("id:") {
            return id(only).ok_or("unknown_class");
        }
        let named = self
            .classes
            .iter()
            .position(|name| folded(name) == folded(&text));
        let named = named.map(|place| i64::try_from(place).expect("it fits") + 1);
        match (id(&text), named) {
            (Some(id), Some(named)) if id != named => Err("ambiguous_class"),
            (id, named) => id.or(named).ok_or("unknown_class"),
        }
    }

    pub fn add_class(&self, args: &Value) -> Change {
        let name = kept(text(args, "name"), 200)?;
        if self
            .classes
            .iter()
            .any(|known| folded(known) == folded(&name))
        {
            return no("class_name_in_use");
        }
        let mut after = self.clone();
        after.classes.push(name.clone());
        let view = json!({"id": after.classes.len(), "name": name});
        Ok((after, 1, view))
    }

    /// What a line moves by its amount, or by its foreign one.
    pub fn moved(&self, line: &Value) -> Result<Moved, Noes> {
        let given = PARTS.iter().filter(|key| !line[**key].is_null()).count();
        let own = (!line["amount"].is_null()).then(|| amount(text(line, "amount"), 2));
        if given == 0 {
            let minor = own.unwrap_or_else(|| no("bad_amount"))?;
            return Ok((minor, None));
        }
        let mut noes = Noes::new();
        if let Some(Err(codes)) = &own {
            noes.extend(codes);
        }
        if given < 3 {
            let fault = amount(text(line, "foreign_amount"), 3);
            if !line["foreign_amount"].is_null() && fault.is_err() {
                noes.extend(["bad_amount"]);
            }
            noes.extend(["foreign_incomplete"]);
            return Err(noes);
        }
        let code = text(line, "foreign_currency");
        let units = text(line, "foreign_amount");
        let Some((_, decimals)) = CURRENCIES.iter().find(|(known, _)| *known == code) else {
            noes.extend([if code == "USD" {
                "currency_is_base"
            } else {
                "unknown_currency"
            }]);
            // An amount that no currency takes may be told first.
            noes.extend(amount(units, 3).err().into_iter().flatten());
            return Err(noes);
        };
        let (rate, digits, scale) = RATES
            .iter()
            .find(|(known, ..)| *known == text(line, "fx_rate"))
            .expect("one of the rates");
        let units_minor = match amount(units, *decimals) {
            Ok(units_minor) => units_minor,
            Err(codes) => {
                noes.extend(codes);
                return Err(noes);
            }
        };
        let minor = base(units_minor, *decimals, (*digits, *scale));
        if minor == 0 {
            noes.extend(["amount_rounds_to_zero"]);
        } else if minor > AMOUNT_MINOR_MAX {
            noes.extend(["amount_too_large"]);
        } else if own.as_ref().is_some_and(|own| *own != Ok(minor)) {
            noes.extend(["foreign_amount_differs"]);
        }
        if !noes.is_empty() {
            return Err(noes);
        }
        let original = (
            code.to_owned(),
            plain(units_minor, *decimals),
            (*rate).to_owned(),
        );
        Ok((minor, Some(original)))
    }

    /// What lines of a class, or of none, earned between two days: revenue and expenses; nothing if there are no such lines.
    fn earned(&self, class: Option<i64>, from: &str, to: &str) -> Option<(i128, i128)> {
        let posted = self.entries.iter().filter(|e| e.status == "posted");
        let days = posted.filter(|e| from <= e.date.as_str() && e.date.as_str() <= to);
        let lines = days.flat_map(|e| &e.lines).filter(|l| l.2.class == class);
        let mut sums = None;
        for (id, minor, _) in lines {
            let sums: &mut (i128, i128) = sums.get_or_insert((0, 0));
            match self.account(*id).expect("an account").kind.as_str() {
                "revenue" => sums.0 -= minor,
                "expense" => sums.1 += minor,
                _ => {}
            }
        }
        sums
    }
}

impl Machine {
    /// I10: the rows of all classes, and of lines without one, are the model's and sum to the profit and loss; each row is the
    /// profit and loss of its class.
    pub fn check_classes(&mut self) {
        let (one, other) = (self.chance.day(), self.chance.day());
        let (start, end) = (one.clone().min(other.clone()), one.max(other));
        let days = json!({"start": start, "end": end});
        let ask = |machine: &mut Machine, tool: &str, args: &Value| {
            let got = machine.bench.call(tool, args);
            got.unwrap_or_else(|no| machine.fail(&format!("{tool} is refused: {no:?}")))
        };
        let by_class = ask(self, "books.profit_and_loss_by_class", &days);
        let whole = ask(self, "books.profit_and_loss", &days);
        let mut got = BTreeMap::new();
        let mut sums = [0; 3];
        for row in by_class["rows"].as_array().expect("rows") {
            let figures = ["revenue", "expenses", "net_income"].map(|key| minor(&row[key]));
            for (sum, figure) in sums.iter_mut().zip(figures) {
                *sum += figure;
            }
            got.insert(row["class_id"].as_i64(), (figures[0], figures[1]));
        }
        let ids = (1..).take(self.model.classes.len()).map(Some);
        let earned = ids.filter_map(|id| Some((id, self.model.earned(id, &start, &end)?)));
        let mut want: BTreeMap<Option<i64>, (i128, i128)> = earned.collect();
        let rest = self.model.earned(None, &start, &end).unwrap_or_default();
        want.insert(None, rest);
        if got != want {
            self.fail(&format!("I10 {start} {end}:\n got {got:?}\nwant {want:?}"));
        }
        for (key, sum) in ["revenue", "expenses", "net_income"].into_iter().zip(sums) {
            self.same("I10: all classes", &by_class[key], &json!(money(sum)));
            self.same("I10: the profit and loss", &whole[key], &json!(money(sum)));
        }
        let classes: Vec<i64> = got.keys().copied().flatten().collect();
        if classes.is_empty() {
            return;
        }
        let id = self.chance.pick(&classes);
        let (revenue, expenses) = got[&Some(id)];
        let mut args = days;
        args["class"] = format!("id:{id}").into();
        let view = json!({"revenue": money(revenue), "expenses": money(expenses)});
        for tool in ["books.profit_and_loss", "books.profit_and_loss_by_class"] {
            let only = ask(self, tool, &args);
            self.shows(&only, &view);
        }
    }
}
