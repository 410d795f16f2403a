import type { Connector } from '../../../connectors/kit/connector.ts'
import type { DisputePage, ProviderDispute } from '../../../connectors/kit/disputes.ts'
import { isUnavailable } from '../../../lib/errors.ts'
import { receiveDispute } from '../provider-webhooks/receive-dispute.ts'
import { listOpenDisputes } from '../disputes/reads.ts'
import type { Account, ReconciliationDeps } from './record.ts'

const pagesLimit = 100

/**
 * Finds what no webhook reported: reads the provider's list of disputes since, and inquires about each one that is open
 * here. A report without news changes nothing.
 */
export async function checkDisputes(
  deps: ReconciliationDeps,
  account: Account,
  since: Date,
): Promise<number> {
  const { ownerId, accountId, provider } = account
  const connector = await deps.connectors.load(ownerId, accountId)
  if (!connector) return 0
  const listed = await listAll(connector, since)
  const names = new Set(listed.map(({ providerRef }) => providerRef))
  const open = await listOpenDisputes(deps, accountId)
  const asked = await inquireAll(
    connector,
    open.map(({ providerRef }) => providerRef).filter((providerRef) => !names.has(providerRef)),
  )
  const owner = { orgId: ownerId, accountId, provider }
  for (const report of [...listed, ...asked])
    await receiveDispute(deps, { account: owner, report, isAsked: true }).catch((error: unknown) => {
      // Its payment is still under way; the next comparison finds it again.
      if (!isUnavailable(error)) throw error
    })
  return listed.length + asked.length
}

async function listAll(connector: Connector, since: Date): Promise<ProviderDispute[]> {
  const all: ProviderDispute[] = []
  let cursor: string | null = null
  for (let page = 0; page < pagesLimit; page++) {
    const found: DisputePage | undefined = await connector.listDisputes?.(since, cursor)
    all.push(...(found?.disputes ?? []))
    cursor = found?.nextCursor ?? null
    if (cursor === null) break
  }
  return all
}

async function inquireAll(connector: Connector, names: readonly string[]): Promise<ProviderDispute[]> {
  const found: ProviderDispute[] = []
  for (const name of names) {
    const inquiry = await connector.inquireDispute?.(name)
    if (inquiry?.kind === 'found') found.push(inquiry.dispute)
  }
  return found
}
