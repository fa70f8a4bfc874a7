import assert from "node:assert/strict";
import { test } from "node:test";
import { readPayments } from "./read-payments.ts";

const read = (text: string) => readPayments(new TextEncoder().encode(text));

const siti = { bankCode: "014", beneficiaryAccountNo: "0088", beneficiaryAccountName: "Siti" };

test("columns are read by name in any order, from the files that spreadsheets write", () => {
  const files = [
    "bankCode,beneficiaryAccountNo,beneficiaryAccountName,amount,currency\n014,0088,Siti,1500000.00,IDR\n",
    // Excel in Indonesia: a byte order mark, semicolons, CRLF, empty rows at the end.
    "\ufeffAMOUNT;bankcode;department;beneficiaryAccountNo;beneficiaryAccountName\r\n1500000.00;014;HR;0088;Siti\r\n;;;;\r\n\r\n",
    'bankCode\t"beneficiaryAccountNo"\tbeneficiaryAccountName\tamount\n 014 \t0088\t"Siti"\t1500000.00',
  ];
  for (const file of files) {
    const { payments, faults } = read(file);
    assert.deepEqual(faults, []);
    assert.deepEqual(payments, [{ ...siti, amount: { value: "1500000.00", currency: "IDR" } }]);
  }
  assert.deepEqual(read(files[1] ?? "").ignored, ["department"]);
  assert.deepEqual(
    files.map((file) => read(file).delimiter),
    [",", ";", "\t"],
  );
});

test("quoted cells hold delimiters, quotes and line breaks, and lines are counted as an editor does", () => {
  const { payments, lines } = read(
    'partnerReferenceNo,bankCode,beneficiaryAccountNo,beneficiaryAccountName,amount\r\nP-1,014,1,"Budi ""Bud"", SE",1.00\r\n\r\n,014,2,"Ratna\r\nKusuma",2\r\n,014,3,Ayu,3\r\n',
  );
  assert.deepEqual(lines, [2, 5, 6]);
  assert.deepEqual(
    payments.map(({ partnerReferenceNo, beneficiaryAccountName }) => [partnerReferenceNo, beneficiaryAccountName]),
    [
      ["P-1", 'Budi "Bud", SE'],
      [undefined, "Ratna\nKusuma"],
      [undefined, "Ayu"],
    ],
  );
});

test("rows of another length and rounded numbers are faults with their lines", () => {
  const { faults } = read(
    "bankCode;beneficiaryAccountNo;beneficiaryAccountName;amount\n014;8,8E+09;Siti;1\n014;1;Budi\n014;1;Ayu;1;\n",
  );
  assert.deepEqual(faults, [
    {
      line: 2,
      column: "beneficiaryAccountNo",
      message: "is 8,8E+09, a number that a spreadsheet has rounded: format the column as text",
    },
    { line: 3, message: "has 3 cells where the first line has 4" },
    { line: 4, message: "has 5 cells where the first line has 4" },
  ]);
});

test("a file without its columns, or that is no CSV, is rejected as a whole", () => {
  assert.throws(() => read(""), /empty.*bankCode/);
  assert.throws(
    () => read("bankCode,amount,name\n014,1,x"),
    /no column beneficiaryAccountNo, beneficiaryAccountName\. It has: bankCode, amount, name/,
  );
  assert.throws(() => read("amount,Amount,bankCode,beneficiaryAccountNo,beneficiaryAccountName\n"), /amount twice/);
  assert.throws(
    () => read('bankCode,beneficiaryAccountNo,beneficiaryAccountName,amount\n014,"1,x,2\n'),
    /not CSV: Quote Not Closed.*line 2/,
  );
  assert.throws(() => readPayments(Uint8Array.of(0x41, 0xe9, 0x0a)), /not UTF-8/);
});
