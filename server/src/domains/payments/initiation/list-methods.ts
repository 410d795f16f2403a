import type { Money } from '../../../lib/money.ts'
import { inability, rangeProblem, type RoutingDeps } from './choose-route.ts'

const methods = ['card', 'mobile_money', 'bank_transfer'] as const

export interface OfferedMethod {
  country: string
  method: (typeof methods)[number]
  /** The card is entered on our page; otherwise on the page of the first provider. */
  takesCard: boolean
}

/** The methods that a payer can choose in each country, by the same rules that route a payment. */
export async function listMethods(
  deps: Pick<RoutingDeps, 'corridors' | 'connectors'>,
  orgId: string,
  /** `source` is undefined while the amount is not known. */
  wanted: { currency: string; source: Money | undefined },
): Promise<OfferedMethod[]> {
  const configs = await deps.corridors.inbound(orgId)
  const offered: OfferedMethod[] = []
  for (const config of configs) {
    const method = methods.find((known) => known === config.paymentMethod)
    const { country } = config
    const isListed = offered.some((other) => other.country === country && other.method === method)
    if (!method || isListed || (wanted.source && rangeProblem(config, wanted.source) !== undefined)) continue
    const connector = await deps.connectors.load(orgId, config.provider)
    const corridor = { direction: 'payin', method, country, amount: { currency: wanted.currency } } as const
    if (connector && inability(connector, corridor) === undefined)
      offered.push({ country, method, takesCard: connector.takesCards === true })
  }
  return offered.toSorted((a, b) => methods.indexOf(a.method) - methods.indexOf(b.method))
}
