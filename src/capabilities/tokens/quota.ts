/** 500,000 quota units are one currency unit (the gateway's document, "Limits"). */
export const unitsPerCurrencyUnit = 500_000;

/** The units of an amount as its decimal digits say. Undefined if they are not a whole number of units. */
export function findUnits(amount: number): number | undefined {
  const [, integer = '', fraction = '', exponent = '0'] =
    /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(amount)) ?? [];
  if (integer === '') return undefined;
  const scale = fraction.length - Number(exponent);
  const product = BigInt(integer + fraction) * BigInt(unitsPerCurrencyUnit);
  const [factor, divisor] = scale < 0 ? [10n ** BigInt(-scale), 1n] : [1n, 10n ** BigInt(scale)];
  const units = Number((product * factor) / divisor);
  return (product * factor) % divisor === 0n && Number.isSafeInteger(units) ? units : undefined;
}
