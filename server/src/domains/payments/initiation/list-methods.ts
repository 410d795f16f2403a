import type { Money } from '../../../lib/money/money.ts'
import { checkHostedOnly, type CardPolicyDeps } from '../../people/organizations/reads.ts'
import type { RoutableConfig } from '../../providers/configs/record.ts'
import { inability, isOutOfBounds, rangeProblem, type RoutingDeps } from './choose-route.ts'

const methods = ['card', 'mobile_money', 'bank_transfer'] as const

export interface OfferedMethod {
  country: string
  method: (typeof methods)[number]
  /** The card is entered on our page; otherwise on the page of the first provider. */
  takesCard: boolean
}

/** The methods that a payer can choose in each country, by the same rules that route a payment. */
export async function listMethods(
  deps: Pick<RoutingDeps, 'corridors' | 'connectors'> & CardPolicyDeps,
  orgId: string,
  /** `source` is undefined while the amount is not known. */
  wanted: { currency: string; source: Money | undefined },
): Promise<OfferedMethod[]> {
  const configs = await deps.corridors.inbound(orgId)
  const isHostedOnly = await checkHostedOnly(deps, orgId)
  const offered: OfferedMethod[] = []
  for (const config of configs) {
    const method = methods.find((known) => known === config.paymentMethod)
    const { country } = config
    const isListed = offered.some((other) => other.country === country && other.method === method)
    const accountId = config.carrier?.accountId
    if (!method || isListed || !accountId || isOutside(config, wanted.source)) continue
    const connector = await deps.connectors.load(orgId, accountId)
    const corridor = { direction: 'payin', method, country, amount: { currency: wanted.currency } } as const
    if (!connector || inability(connector, corridor) !== undefined) continue
    const takesCard = !isHostedOnly && connector.takesCards === true
    if (method !== 'card' || takesCard || connector.hasCardPage === true)
      offered.push({ country, method, takesCard })
  }
  return offered.toSorted((a, b) => methods.indexOf(a.method) - methods.indexOf(b.method))
}

/** While the amount is not known, a corridor is offered unless the operator has none for it. */
const isOutside = (config: RoutableConfig, source: Money | undefined): boolean =>
  source
    ? rangeProblem(config, source) !== undefined || isOutOfBounds(config, source)
    : config.operatorBounds?.length === 0
