/**
 * Active ISO 4217 codes and their minor units. A table of its own: `Intl` has other minor units for IDR and 17 more.
 * Codes without a minor unit (gold, SDR, test codes) are not the currency of an account and are omitted.
 */

const codesByScale: Readonly<Record<number, string>> = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
  2:
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW " +
    "CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR " +
    "ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV " +
    "MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD " +
    "SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG",
  3: "BHD IQD JOD KWD LYD OMR TND",
  4: "CLF UYW",
};

const scales = new Map<string, number>(
  Object.entries(codesByScale).flatMap(([scale, codes]) =>
    codes.split(" ").map((code): [string, number] => [code, Number(scale)]),
  ),
);

/** Decimals of a currency's minor unit (IDR 2, JPY 0), or undefined when the code is not an active one. */
export function currencyScale(code: string): number | undefined {
  return scales.get(code);
}

export function isCurrency(code: string): boolean {
  return scales.has(code);
}

/** Every known code. */
export const currencyCodes: readonly string[] = [...scales.keys()].sort();
