import type { Vault } from '../../../../kernel/db/vault.ts'
import { mask } from '../../../../lib/text/masking.ts'
import { formatMinor } from '../../../../lib/money/money.ts'
import { readDetails } from '../read-details.ts'
import type { Payment, PrivateDetails } from '../../record.ts'
import type { Draft } from './record.ts'
import type { RampHistory } from './store.ts'

/** The terms of a ramp, who pays it, and its legs. */
export async function describeRamp(
  deps: { vault: Vault },
  payment: Payment,
  { ramp, legs }: RampHistory,
): Promise<Draft[]> {
  if (!ramp) return []
  return [ofTerms(ramp, await readDetails(deps, payment)), ...legs.map(ofLeg)]
}

const money = (minor: string, currency: string): string =>
  `${formatMinor(BigInt(minor), currency)} ${currency}`

function ofTerms(ramp: NonNullable<RampHistory['ramp']>, details: PrivateDetails): Draft {
  const fiat = money(ramp.fiat_minor, ramp.fiat_currency)
  const crypto = money(ramp.crypto_minor, ramp.crypto_currency)
  const [from, to] = ramp.direction === 'on_ramp' ? [fiat, crypto] : [crypto, fiat]
  const account = details.mobileMoney?.phoneNumber ?? details.payerAccount?.accountNumber
  return {
    entry_id: 'ramp',
    at: ramp.created_at.toISOString(),
    kind: 'ramp',
    summary: `${ramp.direction} of ${from} to ${to} on ${ramp.crypto_network}`,
    data: {
      from,
      to,
      direction: ramp.direction,
      phase: ramp.phase,
      crypto_network: ramp.crypto_network,
      wallet_address: ramp.wallet_address,
      rate: ramp.rate,
      expires_at: ramp.expires_at.toISOString(),
      payer_name: details.payer?.name ?? null,
      // An off-ramp is paid from a wallet; its account is the payee's.
      payer_account: ramp.direction === 'on_ramp' && account !== undefined ? mask(account) : null,
    },
  }
}

const ofLeg = (leg: RampHistory['legs'][number]): Draft => ({
  entry_id: `leg.${leg.leg_no}`,
  at: leg.created_at.toISOString(),
  kind: 'leg',
  summary: `${leg.kind} of ${money(leg.amount_minor, leg.currency)} at ${leg.provider}: ${leg.state}`,
  data: {
    kind: leg.kind,
    amount: formatMinor(BigInt(leg.amount_minor), leg.currency),
    currency: leg.currency,
    leg_no: leg.leg_no,
    provider: leg.provider,
    state: leg.state,
    method: leg.method,
    reference: leg.reference,
    provider_ref: leg.provider_ref,
    provider_status: leg.provider_status,
    code: leg.outcome_code,
    message: leg.outcome_message,
    last_change: leg.updated_at.toISOString(),
  },
})
