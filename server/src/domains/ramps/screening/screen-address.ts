import type { Database } from '../../../db/database.ts'
import { addressKey } from '../../../lib/wallet-address.ts'
import { selectVerdicts } from './store.ts'

type Screening = { verdict: 'clear' } | { verdict: 'refused'; by: 'deny_list' | 'screener' }

/** An external screening service, asked only about addresses that are on no list. */
export interface Screener {
  screen(address: { network: string; address: string }): Promise<'clear' | 'refused'>
}

export interface ScreeningDeps {
  db: Database
  screener: Screener
}

export const noScreener: Screener = { screen: () => Promise.resolve('clear') }

/** Called before crypto is sent. A deny entry always wins; an allow entry skips the external screener. */
export async function screenAddress(
  deps: ScreeningDeps,
  orgId: string,
  wallet: { network: string; address: string },
): Promise<Screening> {
  const key = addressKey(wallet.address)
  const verdicts = await deps.db.inOrg(orgId, (tx) => selectVerdicts(tx, orgId, key))
  if (verdicts.includes('deny')) return { verdict: 'refused', by: 'deny_list' }
  if (verdicts.includes('allow')) return { verdict: 'clear' }
  const answer = await deps.screener.screen(wallet)
  return answer === 'clear' ? { verdict: 'clear' } : { verdict: 'refused', by: 'screener' }
}
