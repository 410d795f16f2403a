import countries from 'i18n-iso-countries'
import { getAddress } from 'viem'
import type {
  AcceptedOutcome,
  Attempt,
  Connector,
  Inquiry,
  Outcome,
} from '../../../../connectors/kit/connector.ts'
import { failureOf } from '../../../../connectors/kit/failures.ts'
import type { WalletDeps, Wallets } from './record.ts'
import { pushTransfer, type TransferStatus } from './push-transfer.ts'
import { abandon, sendTransfer } from './send-transfer.ts'
import { findDeposits, openDeposit, type DepositStatus } from './watch-deposit.ts'

const everywhere = Object.keys(countries.getAlpha2Codes())

/** Our own wallet behind the connector contract: it collects and pays out crypto. */
export const walletConnector = (deps: WalletDeps, orgId: string): Connector => ({
  name: 'crypto',
  isRepeatable: true,
  capabilities: capabilitiesOf(deps.wallets),
  async collect(attempt, { cryptoNetwork: network }): Promise<Outcome> {
    const asset = attempt.amount.currency
    const address =
      network === undefined
        ? undefined
        : await openDeposit(deps, orgId, { reference: attempt.reference, network, asset })
    if (network === undefined || address === undefined)
      return { kind: 'not_sent', reason: 'our wallet does not hold this asset on this network' }
    return {
      ...deposit(attempt, { confirmedMinor: 0n, seenMinor: 0n }),
      nextAction: { type: 'crypto_transfer', instructions: { address, network } },
    }
  },
  async payout(attempt, { wallet }): Promise<Outcome> {
    if (!wallet) return { kind: 'not_sent', reason: 'there is no address to send to' }
    const sent = await sendTransfer(deps, orgId, {
      reference: attempt.reference,
      network: wallet.network,
      asset: attempt.amount.currency,
      to: getAddress(wallet.address),
      amountMinor: attempt.amount.amountMinor,
    })
    if (sent.kind === 'refused')
      return { kind: 'declined', failure: failureOf('ADDRESS_INVALID'), fallback: false }
    if (sent.kind === 'later') return { kind: 'not_sent', reason: sent.reason }
    return transferState(sent) ?? { kind: 'unknown', reason: 'the transfer is not stored' }
  },
  async cancel({ reference }): Promise<Outcome> {
    const sent = await abandon(deps, orgId, reference)
    if (sent) return transferState(sent) ?? { kind: 'unknown', reason: 'the transfer is not stored' }
    return { kind: 'accepted', providerRef: null, providerStatus: 'given_up', state: { state: 'canceled' } }
  },
  async inquire(attempt): Promise<Inquiry> {
    if (attempt.direction === 'payin') {
      const status = await findDeposits(deps, orgId, attempt.reference)
      return status ? deposit(attempt, status) : { kind: 'not_found' }
    }
    return transferState(await pushTransfer(deps, orgId, attempt.reference)) ?? { kind: 'not_found' }
  },
})

function capabilitiesOf({ chains, signer }: Wallets): Connector['capabilities'] {
  if (!signer) return []
  const assets: Record<string, string[]> = {}
  for (const { network, tokens } of chains)
    for (const asset of Object.keys(tokens)) (assets[asset] ??= []).push(network)
  const common = { method: 'crypto', countries: everywhere, currencies: Object.keys(assets), assets } as const
  return [
    { direction: 'payin', ...common },
    { direction: 'payout', ...common },
  ]
}

/** Recent blocks show that money is coming, but only confirmed ones count. */
function deposit(attempt: Attempt, { confirmedMinor, seenMinor }: DepositStatus): AcceptedOutcome {
  const isWhole = confirmedMinor >= attempt.amount.amountMinor
  const isComing = seenMinor > confirmedMinor
  return {
    kind: 'accepted',
    providerRef: null,
    providerStatus: isWhole ? 'confirmed' : isComing ? 'confirming' : 'awaiting_deposit',
    state: { state: isWhole ? 'completed' : isComing ? 'processing' : 'pending' },
    received: { amountMinor: confirmedMinor, currency: attempt.amount.currency },
  }
}

const transferStates: Readonly<Record<Exclude<TransferStatus['kind'], 'absent'>, AcceptedOutcome['state']>> =
  {
    waiting: { state: 'processing' },
    confirmed: { state: 'completed' },
    reverted: { state: 'failed', failure: failureOf('ADDRESS_INVALID') },
    displaced: { state: 'failed', failure: failureOf('SUSPECTED_FRAUD') },
  }

const transferState = (status: TransferStatus): AcceptedOutcome | undefined =>
  status.kind === 'absent'
    ? undefined
    : {
        kind: 'accepted',
        providerRef: 'txHash' in status ? status.txHash : null,
        providerStatus: status.kind,
        state: transferStates[status.kind],
      }
