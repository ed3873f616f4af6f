#!/usr/bin/env python3
"""A deterministic small-business ledger for benchmarks: gen_ledger.py N OUTDIR.

Writes into OUTDIR (made if need be): books.journal for ledger and hledger, books.wb.jsonl and chart.csv for wb, and
bank.csv, bank.rules and bank.wbrules: 10,000 bank lines and the rules to sort them. The same N gives the same bytes. About 2.3
postings a transaction, 120 accounts, 85 % of the transactions with two lines, 15 % with three to six.
"""
import argparse, datetime as dt, json, os, random

def chart():
    A = []  # code, name, type
    def add(code, name, typ): A.append((str(code), name, typ))
    for i, n in enumerate(["Checking", "Savings", "Payroll-Checking", "Petty-Cash", "Paypal", "Stripe", "Square",
                           "Money-Market"]):
        add(1000 + 10 * i, f"Assets:Bank:{n}", "asset")
    for i, n in enumerate(["Accounts-Receivable", "Inventory", "Undeposited-Funds", "Prepaid-Insurance",
                           "Prepaid-Rent", "Prepaid-Software", "Deposits", "Employee-Advances"]):
        add(1200 + 10 * i, f"Assets:Current:{n}", "asset")
    for i, n in enumerate(["Equipment", "Computers", "Vehicles", "Furniture", "Leasehold"]):
        add(1500 + 20 * i, f"Assets:Fixed:{n}", "asset")
        add(1510 + 20 * i, f"Assets:Fixed:{n}:Accum-Depr", "asset")
    for i, n in enumerate(["Accounts-Payable", "Sales-Tax", "Federal-Withholding", "State-Withholding", "FICA",
                           "Health-Premiums", "Retirement", "Deferred-Revenue", "Customer-Deposits",
                           "Due-To-Owners"]):
        add(2000 + 10 * i, f"Liabilities:Current:{n}", "liability")
    for i, n in enumerate(["Visa-1", "Visa-2", "Amex", "Line-Of-Credit", "SBA-Loan", "Vehicle-Loan"]):
        add(2200 + 10 * i, f"Liabilities:Debt:{n}", "liability")
    for i, n in enumerate(["Capital-A", "Capital-B", "Draws-A", "Draws-B", "Retained-Earnings",
                           "Opening-Balances"]):
        add(3000 + 10 * i, f"Equity:{n}", "equity")
    for i in range(16):
        n = ["Consulting", "Product-Sales", "Subscriptions", "Support", "Training", "Shipping", "Licensing",
             "Repairs", "Rentals", "Commissions", "Web", "Design", "Hosting", "Events", "Refunds", "Other"][i]
        add(4000 + 10 * i, f"Income:{n}", "revenue")
    groups = {"Payroll": ["Wages", "Officer-Pay", "Payroll-Tax", "Benefits", "Contractors", "Training"],
              "Office": ["Rent", "Utilities", "Internet", "Phone", "Supplies", "Postage", "Cleaning", "Furniture"],
              "Software": ["SaaS", "Hosting", "Domains", "Licences", "Backups"],
              "Travel": ["Airfare", "Hotels", "Meals", "Taxi", "Parking", "Mileage"],
              "Marketing": ["Ads", "Print", "Events", "Sponsorship", "Web"],
              "Professional": ["Legal", "Accounting", "Consulting", "Payroll-Service"],
              "Vehicle": ["Fuel", "Repairs", "Insurance", "Registration"],
              "Cost": ["Materials", "Freight", "Merchant-Fees", "Packaging", "Subcontract", "Inventory-Shrink"],
              "Other": ["Bank-Fees", "Interest", "Insurance", "Licenses", "Taxes", "Depreciation", "Bad-Debt",
                        "Donations", "Penalties", "Misc", "Dues", "Education"]}
    code = 5000
    for g, ns in groups.items():
        for n in ns:
            add(code, f"Expenses:{g}:{n}", "expense"); code += 10
        code = (code // 100 + 1) * 100
    return A

W1 = "Blue Red Green North South East West Old New Silver Golden Cedar Maple River Lake Hill Stone Iron Copper Bright".split()
W2 = "Harbor Market Supply Foods Works Systems Studio Garage Press Energy Telecom Freight Hardware Cloud Bakery Partners Legal Design Tools Rentals".split()
MEMO = "invoice monthly renewal order deposit refund project onsite quarterly annual annex spare parts team lunch client visit printer toner laptop cable desk repair support retainer café straße".split()

def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("n", type=int); ap.add_argument("outdir")
    ap.add_argument("--seed", type=int, default=42)
    ap.add_argument("--start", default="2021-01-01"); ap.add_argument("--years", type=int, default=5)
    ap.add_argument("--bank-lines", type=int, default=10000)
    a = ap.parse_args()
    os.makedirs(a.outdir, exist_ok=True)
    P = lambda n: os.path.join(a.outdir, n)
    rnd = random.Random(a.seed); R = rnd.random
    start = dt.date.fromisoformat(a.start); days = 365 * a.years + a.years // 4
    A = chart(); by = {n: c for c, n, _ in A}; name = {c: n for c, n, _ in A}
    with open(P("chart.csv"), "w") as f:
        f.write("code,name,type,parent_code\n"); f.writelines(f"{c},{n},{t},\n" for c, n, t in A)
    exp = [c for c, n, t in A if t == "expense"]; rev = [c for c, n, t in A if t == "revenue"]
    # skewed choice: a few accounts take most postings, as in real books
    expw = sorted(exp, key=lambda c: (int(c) * 7919) % 101); revw = sorted(rev, key=lambda c: (int(c) * 7919) % 101)
    pick = lambda L: L[int(len(L) * (R() ** 2.2))]
    banks = [by["Assets:Bank:" + n] for n in ("Checking", "Paypal", "Stripe", "Square", "Savings", "Petty-Cash")]
    cards = [by["Liabilities:Debt:" + n] for n in ("Visa-1", "Visa-2", "Amex")]
    AR, AP, TAX = by["Assets:Current:Accounts-Receivable"], by["Liabilities:Current:Accounts-Payable"], by["Liabilities:Current:Sales-Tax"]
    wages, fica, fwh, swh, hp, ret = (by["Expenses:Payroll:Wages"], by["Liabilities:Current:FICA"],
        by["Liabilities:Current:Federal-Withholding"], by["Liabilities:Current:State-Withholding"],
        by["Liabilities:Current:Health-Premiums"], by["Liabilities:Current:Retirement"])
    fees = by["Expenses:Cost:Merchant-Fees"]; openb = by["Equity:Opening-Balances"]
    payees = [f"{w1} {w2} {s}" for w1 in W1 for w2 in W2 for s in ("LLC",)]
    journal = open(P("books.journal"), "w", buffering=1 << 20)
    journal.writelines(f"account {n}\n" for c, n, t in A); journal.write("\n")
    jsonl = open(P("books.wb.jsonl"), "w", buffering=1 << 20)
    fmt = lambda c: f"{'-' if c < 0 else ''}{abs(c)//100}.{abs(c)%100:02d}"
    npost = 0
    amt = lambda mu, sg: max(100, int(round(100 * rnd.lognormvariate(mu, sg))))
    dates = [(start + dt.timedelta(days=d)).isoformat() for d in range(days)]
    for i in range(a.n):
        d = dates[i * days // a.n]
        payee = payees[int(len(payees) * R() ** 1.5)]
        memo = f"{MEMO[int(R()*len(MEMO))]} {MEMO[int(R()*len(MEMO))]} #{100000 + int(R()*900000)}"
        r = R()
        if i == 0:
            L = [(banks[0], 25000000), (openb, -25000000)]; payee, memo = "Opening", "opening balance"
        elif r < 0.85:
            q = R()
            if q < 0.34: x = amt(3.6, 1.0); L = [(pick(expw), x), (cards[int(3 * R())], -x)]
            elif q < 0.50: x = amt(4.2, 1.1); L = [(pick(expw), x), (banks[0], -x)]
            elif q < 0.74: x = amt(5.0, 1.0); L = [(banks[int(len(banks) * R() ** 2)], x), (pick(revw), -x)]
            elif q < 0.82: x = amt(5.6, 0.9); L = [(AR, x), (pick(revw), -x)]
            elif q < 0.89: x = amt(5.6, 0.9); L = [(banks[0], x), (AR, -x)]
            elif q < 0.93: x = amt(5.0, 0.9); L = [(pick(expw), x), (AP, -x)]
            elif q < 0.97: x = amt(5.0, 0.9); L = [(AP, x), (banks[0], -x)]
            else: x = amt(6.0, 0.8); L = [(cards[int(3 * R())], x), (banks[0], -x)]
        else:
            k = (3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 5, 5, 5, 6, 6)[int(20 * R())]
            if k == 3 and R() < .5:  # payout with fee
                g = amt(5.2, .8); fee = max(1, g * 29 // 1000 + 30); L = [(banks[2], g - fee), (fees, fee), (pick(revw), -g)]
            elif k == 3:             # taxed sale
                g = amt(4.6, .8); t = max(1, g * 825 // 10000); L = [(banks[0], g + t), (pick(revw), -g), (TAX, -t)]
            elif k == 6:             # payroll
                g = amt(7.8, .3); p = [g * 765 // 10000, g * 12 // 100, g * 4 // 100, g * 3 // 100]
                L = [(wages, g), (fica, -p[0]), (fwh, -p[1]), (swh, -p[2]), (hp, -p[3]), (banks[0], -(g - sum(p)))]
            else:                    # split purchase
                xs = [amt(3.4, .9) for _ in range(k - 1)]
                L = [(pick(expw), x) for x in xs] + [(cards[int(3 * R())], -sum(xs))]
        npost += len(L)
        journal.write(f"{d} * {payee} | {memo}\n" + "".join(f"    {name[c]}  {fmt(x)} USD\n" for c, x in L) + "\n")
        jsonl.write(json.dumps({"date": d, "description": f"{payee} | {memo}", "lines": [{"account": c, "amount": fmt(x)} for c, x in L]}, separators=(",", ":")) + "\n")
    journal.close(); jsonl.close()
    rb = random.Random(a.seed + 1)
    with open(P("bank.csv"), "w") as f:
        f.write("Date,Description,Amount\n")
        for i in range(a.bank_lines):
            d = start + dt.timedelta(days=365 * a.years + 1 + i * 90 // a.bank_lines)
            x = int(100 * rb.lognormvariate(4.2, 1)); x = x if rb.random() < .3 else -x
            f.write(f"{d.strftime('%m/%d/%Y')},{payees[int(len(payees)*rb.random())].upper()} REF{rb.randrange(10**8):08d},{fmt(x)}\n")
    with open(P("bank.rules"), "w") as f:
        f.write("skip 1\nfields date,description,amount\ndate-format %m/%d/%Y\ncurrency\naccount1 Assets:Bank:Checking\n"
                "account2 Expenses:Other:Misc\namount %amount USD\n")
        for i, w in enumerate(W2):
            f.write(f"if\n{w.upper()}\n    account2 {name[expw[i]]}\n")
    with open(P("bank.wbrules"), "w") as f:
        f.writelines(f"{w.upper()}={expw[i]}\n" for i, w in enumerate(W2))
    print(json.dumps({"transactions": a.n, "postings": npost, "per_txn": round(npost / a.n, 3), "accounts": len(A)}))

main()
