import { installationOrgId } from '../../db/vault.ts'
import { toRate } from '../../lib/decimal.ts'
import { validationError } from '../../lib/errors.ts'
import { findConnector } from '../../connectors/registry.ts'
import type { Carrier, ProviderAccount } from '../provider-accounts/record.ts'
import { custodyOf, resolveAccount } from '../provider-accounts/rules.ts'
import type { ProviderConfig, RoutableConfig } from './record.ts'

export function assertRange({ minAmount, maxAmount }: Pick<ProviderConfig, 'minAmount' | 'maxAmount'>): void {
  if (minAmount !== null && maxAmount !== null && toRate(minAmount).gt(maxAmount))
    throw validationError('min_amount: exceeds max_amount.', [
      { path: 'min_amount', message: 'exceeds max_amount' },
    ])
}

interface Used {
  carrier: Carrier | undefined
  reason: string | undefined
}

/** The rails inside Switchyard, such as the operator's wallet, have no account at a provider. */
function carrierOf(config: ProviderConfig, accounts: readonly ProviderAccount[]): Used {
  if (!findConnector(config.provider))
    return { carrier: { accountId: null, custody: 'pooled' }, reason: undefined }
  const used = resolveAccount(accounts, config)
  if ('reason' in used) return { carrier: undefined, reason: used.reason }
  const { accountId } = used.account
  return { carrier: { accountId, custody: custodyOf(used.account) }, reason: undefined }
}

/**
 * Resolves the account of each configuration. An organisation's configuration of an account of the installation may
 * narrow what the operator's active configurations of that account allow, and never widen it.
 */
export function routableConfigs(
  configs: readonly ProviderConfig[],
  known: { accounts: readonly ProviderAccount[]; ownAccountsOnly: boolean },
): RoutableConfig[] {
  const used = configs.map((config) => ({ ...config, ...carrierOf(config, known.accounts) }))
  return used.map((config) => {
    const { carrier } = config
    if (carrier?.custody !== 'pooled') return { ...config, operatorBounds: undefined }
    if (known.ownAccountsOnly)
      return {
        ...config,
        ...unusable('the organisation uses its own accounts only'),
        operatorBounds: undefined,
      }
    if (config.orgId === installationOrgId) return { ...config, operatorBounds: undefined }
    const operatorBounds = used.filter(
      (other) =>
        other.orgId === installationOrgId &&
        other.carrier?.accountId === carrier.accountId &&
        other.provider === config.provider &&
        other.country === config.country &&
        other.paymentMethod === config.paymentMethod &&
        other.direction === config.direction,
    )
    return { ...config, operatorBounds }
  })
}

const unusable = (reason: string): Used => ({ carrier: undefined, reason })
