import { toE164 } from '../../../../lib/instruments/phone.ts'
import type { Identifier } from './record.ts'

/** Where money comes from or goes to, and how a person is reached. */
interface Reach {
  country: string
  accounts?: readonly (NamedAccount | null | undefined)[]
  phones?: readonly (string | null | undefined)[]
  emails?: readonly (string | null | undefined)[]
  wallets?: readonly (string | null | undefined)[]
}

interface NamedAccount {
  accountNumber?: string | undefined
  bankCode?: string | undefined
  sortCode?: string | undefined
  swiftCode?: string | undefined
  iban?: string | undefined
  country?: string | undefined
}

type Named = [kind: Identifier['kind'], value: string | null | undefined]

/** Each written in one way only, whatever spaces, signs and letters the caller has used. */
export function listIdentifiers({ country, accounts, phones, emails, wallets }: Reach): Identifier[] {
  const found: Named[] = [
    ...(accounts ?? []).flatMap((account) => identifiersOfAccount(account, country)),
    ...(phones ?? []).map((phone): Named => ['phone', phone && (toE164(phone, country) ?? bare(phone))]),
    ...(emails ?? []).map((email): Named => ['email', email?.trim().toLowerCase()]),
    ...(wallets ?? []).map((address): Named => ['wallet', address?.trim().toLowerCase()]),
  ]
  return found.flatMap(([kind, value]) => (value ? [{ kind, value }] : []))
}

function identifiersOfAccount(account: NamedAccount | null | undefined, country: string): Named[] {
  if (!account) return []
  const { accountNumber, iban } = account
  const bank = account.bankCode ?? account.sortCode ?? account.swiftCode ?? ''
  const whole = [account.country ?? country, bare(bank), bare(accountNumber ?? '')].join(' ')
  return [
    ['iban', iban && bare(iban)],
    ['account', accountNumber && whole],
  ]
}

const bare = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase()
