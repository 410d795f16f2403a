import { validationError } from '../../lib/errors.ts'
import { parseMinor } from '../../lib/money.ts'

export function parseAmount(amount: number, currency: string): bigint {
  const amountMinor = parseMinor(String(amount), currency)
  if (amountMinor === undefined)
    throw validationError(`amount: has more decimals than ${currency} has.`, [
      { path: 'amount', message: `has more decimals than ${currency} has` },
    ])
  return amountMinor
}

const formulaStart = /^[=+\-@\t\r]/

/** For a cell of CSV. A spreadsheet must not run what a stranger wrote into a description. */
export function csvCell(text: string): string {
  const harmless = formulaStart.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
