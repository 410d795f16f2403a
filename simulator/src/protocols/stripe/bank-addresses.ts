import { createHash } from 'node:crypto'

interface BankTransferKind {
  readonly type: 'gb_bank_transfer' | 'eu_bank_transfer'
  readonly country: string
}

const HOLDER = 'Switchyard Sandbox'
const LETTER_BASE = 55
/** The IBAN format of each country in which Stripe opens virtual accounts. */
const ACCOUNT_SHAPES: Readonly<Record<string, { readonly bank?: string; readonly digits: number }>> = {
  BE: { digits: 12 },
  DE: { digits: 18 },
  ES: { digits: 20 },
  FR: { digits: 23 },
  IE: { bank: 'SWYD', digits: 14 },
  NL: { bank: 'SWYD', digits: 10 },
}

/** The virtual account of a customer: invented but stable. */
export function bankAddressOf(kind: BankTransferKind, customer: string) {
  const digits = digitsFrom(customer)
  if (kind.type === 'gb_bank_transfer') {
    return {
      type: 'sort_code',
      supported_networks: ['bacs', 'fps'],
      sort_code: {
        account_holder_name: HOLDER,
        account_number: digits.slice(0, 8),
        sort_code: '108800',
      },
    }
  }
  return {
    type: 'iban',
    supported_networks: ['sepa'],
    iban: {
      account_holder_name: HOLDER,
      bic: `SWYD${kind.country}22`,
      country: kind.country,
      iban: ibanOf(kind.country, digits),
    },
  }
}

function digitsFrom(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return BigInt(`0x${hex}`).toString().padStart(30, '0')
}

function ibanOf(country: string, digits: string): string {
  const { bank = '', digits: length } = ACCOUNT_SHAPES[country] ?? { digits: 18 }
  const account = `${bank}${digits.slice(0, length)}`
  const asNumber = `${account}${country}00`.replaceAll(/[A-Z]/g, (letter) =>
    String((letter.codePointAt(0) ?? 0) - LETTER_BASE),
  )
  const check = 98n - (BigInt(asNumber) % 97n)
  return `${country}${check.toString().padStart(2, '0')}${account}`
}
