import type { PaymentMethod } from '../../../connectors/kit/connector.ts'
import type { Money } from '../../../lib/money/money.ts'
import { inability, isOutOfBounds, rangeProblem, type RoutingDeps } from './choose-route.ts'

interface PayoutCorridor {
  country: string
  method: PaymentMethod
  currency: string
}

/**
 * Whether a provider is configured that could pay an amount in the corridor, for checks before a payout is started. The
 * route itself is chosen when it starts.
 */
export async function payoutCorridor(
  deps: Pick<RoutingDeps, 'connectors' | 'corridors'>,
  orgId: string,
  { country, method, currency }: PayoutCorridor,
): Promise<(money: Money) => boolean> {
  const configs = await deps.corridors.list(orgId, { country, paymentMethod: method, direction: 'outbound' })
  const able = await Promise.all(
    configs.map(async (config) => {
      if (!config.carrier || config.carrier.accountId === null) return []
      const connector = await deps.connectors.load(orgId, config.carrier.accountId)
      const attempt = { direction: 'payout' as const, method, country, amount: { currency } }
      return connector && inability(connector, attempt) === undefined ? [config] : []
    }),
  )
  return (money) =>
    able.flat().some((config) => rangeProblem(config, money) === undefined && !isOutOfBounds(config, money))
}
