import { validationError } from '../../../../lib/errors.ts'
import { parseMinor } from '../../../../lib/money/money.ts'

export function parseAmount(amount: number, currency: string): bigint {
  const amountMinor = parseMinor(String(amount), currency)
  if (amountMinor === undefined)
    throw validationError(`amount: has more decimals than ${currency} has.`, [
      { path: 'amount', message: `has more decimals than ${currency} has` },
    ])
  return amountMinor
}
