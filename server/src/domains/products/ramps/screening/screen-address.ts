import { installationOrgId } from '../../../../kernel/db/vault.ts'
import { addressKey } from '../../../../lib/instruments/wallet-address.ts'
import type { Screener, ScreeningDeps } from './record.ts'
import { selectVerdicts } from './store.ts'

type Screening = { verdict: 'clear' } | { verdict: 'refused'; by: 'deny_list' | 'screener' }

export const noScreener: Screener = { screen: () => Promise.resolve('clear') }

/** Called before crypto is sent. Any deny entry wins, and only the operator's allow entry skips the screener. */
export async function screenAddress(
  deps: ScreeningDeps,
  orgId: string,
  wallet: { network: string; address: string },
): Promise<Screening> {
  const key = addressKey(wallet.address)
  const entries = await deps.db.inOrg(orgId, (tx) => selectVerdicts(tx, orgId, key))
  if (entries.some(({ verdict }) => verdict === 'deny')) return { verdict: 'refused', by: 'deny_list' }
  if (entries.some((entry) => entry.verdict === 'allow' && entry.orgId === installationOrgId))
    return { verdict: 'clear' }
  const answer = await deps.screener.screen(wallet)
  return answer === 'clear' ? { verdict: 'clear' } : { verdict: 'refused', by: 'screener' }
}
