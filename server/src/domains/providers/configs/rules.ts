import { installationOrgId } from '../../../kernel/db/vault.ts'
import { toRate } from '../../../lib/money/decimal.ts'
import { validationError } from '../../../lib/errors.ts'
import { findConnector } from '../../../connectors/registry.ts'
import type { Carrier, ProviderAccount } from '../accounts/record.ts'
import { custodyOf, resolveAccount } from '../accounts/rules.ts'
import type { ProviderConfig, RoutableConfig } from './record.ts'

export function assertRange({ minAmount, maxAmount }: Pick<ProviderConfig, 'minAmount' | 'maxAmount'>): void {
  if (minAmount !== null && maxAmount !== null && toRate(minAmount).gt(maxAmount))
    throw validationError('min_amount: exceeds max_amount.', [
      { path: 'min_amount', message: 'exceeds max_amount' },
    ])
}

interface CarrierChoice {
  carrier: Carrier | undefined
  reason: string | undefined
}

/** The rails inside Switchyard, such as the operator's wallet, have no account at a provider. */
function carrierOf(config: ProviderConfig, accounts: readonly ProviderAccount[]): CarrierChoice {
  if (!findConnector(config.provider))
    return { carrier: { accountId: null, custody: 'pooled' }, reason: undefined }
  const used = resolveAccount(accounts, config)
  if ('reason' in used) return { carrier: undefined, reason: used.reason }
  const { accountId } = used.account
  return { carrier: { accountId, custody: custodyOf(used.account) }, reason: undefined }
}

type UsedConfig = ProviderConfig & CarrierChoice

/** Two configurations of the same corridor that use the same account, or the same rail inside Switchyard. */
const isSameRoute = (one: UsedConfig, other: UsedConfig): boolean =>
  one.carrier?.accountId === other.carrier?.accountId &&
  one.provider === other.provider &&
  one.country === other.country &&
  one.paymentMethod === other.paymentMethod &&
  one.direction === other.direction

/**
 * Resolves the account of each configuration. An organisation's configuration of an account of the installation
 * replaces the operator's for that organisation: it may narrow what the operator's active ones allow, never widen it.
 */
export function routableConfigs(
  configs: readonly ProviderConfig[],
  known: { accounts: readonly ProviderAccount[]; ownAccountsOnly: boolean },
): RoutableConfig[] {
  const used = configs.map((config) => ({ ...config, ...carrierOf(config, known.accounts) }))
  return used.map((config): RoutableConfig => {
    const isGlobal = config.orgId === installationOrgId
    if (config.carrier?.custody !== 'pooled') return { ...config, operatorBounds: undefined }
    if (known.ownAccountsOnly) return unusable(config, 'the organisation uses its own accounts only')
    const others = used.filter(
      (other) => (other.orgId === installationOrgId) !== isGlobal && isSameRoute(config, other),
    )
    if (!isGlobal) return { ...config, operatorBounds: others }
    return others.length > 0
      ? unusable(config, 'the organisation has its own configuration of this account')
      : { ...config, operatorBounds: undefined }
  })
}

const unusable = (config: UsedConfig, reason: string): RoutableConfig => ({
  ...config,
  carrier: undefined,
  reason,
  operatorBounds: undefined,
})
