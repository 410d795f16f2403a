import { ledger, terms } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'

const { transfers: text } = ledger

/** The display name of a ledger account. */
export function nameOfAccount(account: string): string {
  const [kind = '', first = ''] = account.split(':')
  if (kind === 'va') return text.virtual
  if (kind === 'provider') return nameOf(terms.provider, first)
  return kind === 'fx' ? text.exchange(first) : nameOf(text.accounts, account)
}
