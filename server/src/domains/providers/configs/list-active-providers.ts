import type { Database } from '../../../kernel/db/database.ts'
import { listAccountsIn } from '../accounts/list-accounts.ts'
import type { Carrier } from '../accounts/record.ts'
import { ownAccountsOnlyIn } from '../../people/organizations/get-organization.ts'
import { routableConfigs } from './rules.ts'
import { selectActive } from './store.ts'

/** Each usable provider once, with an account to ask it by: the installation's where there is one. */
export async function listActiveProviders(
  deps: { db: Database },
  orgId: string,
  filter: { country: string; paymentMethod: string },
): Promise<{ provider: string; carrier: Carrier }[]> {
  const configs = await deps.db.inOrg(orgId, async (tx) =>
    routableConfigs(await selectActive(tx, orgId, filter), {
      accounts: await listAccountsIn(tx, orgId),
      ownAccountsOnly: await ownAccountsOnlyIn(tx, orgId),
    }),
  )
  const byProvider = new Map<string, Carrier>()
  for (const { provider, carrier } of configs)
    if (carrier && (carrier.custody === 'pooled' || !byProvider.has(provider)))
      byProvider.set(provider, carrier)
  return [...byProvider].map(([provider, carrier]) => ({ provider, carrier }))
}
