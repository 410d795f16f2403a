import type { CollectDetails, Payee } from '../../../connectors/kit/connector.ts'
import { validationError } from '../../../lib/errors.ts'
import type { Chargeable } from '../../pricing/fees/record.ts'
import { collectDetails, toConnectorAttempt } from '../attempts/build-request.ts'
import type { Payment, PaymentDeps } from '../record.ts'
import type { RouteRequest } from './choose-route.ts'
import type { InitiationDraft } from './draft-payment.ts'

type LinkDeps = Pick<PaymentDeps, 'publicUrl' | 'returnKey'>
type Ids = Pick<Payment, 'orgId' | 'paymentId'>

/** What routing is asked for a draft, by an initiation and by a preview of it. */
export const routeRequestOf = (
  deps: LinkDeps,
  draft: InitiationDraft,
  { now, ...ids }: Ids & { now: Date },
): RouteRequest => ({
  orgId: ids.orgId,
  source: draft.source,
  attempt: toConnectorAttempt(draft, { reference: '', providerRef: null, createdAt: now }),
  details: routingDetails(deps, draft, ids),
  networkCodes: draft.networkCodes,
  custody: draft.custody && {
    required: draft.custody,
    why: 'it cannot spend from the custody of the virtual account',
  },
  facts: {
    seed: draft.clientReference ?? ids.paymentId,
    cardBrand: draft.cardSummary?.brand ?? null,
    issuerCountry: draft.cardSummary?.issuer_country ?? null,
    network: (draft.details.payee?.mobileMoney ?? draft.details.mobileMoney)?.network ?? null,
    metadata: draft.metadata,
  },
})

/** What the providers' required fields are checked against. */
function routingDetails(deps: LinkDeps, draft: InitiationDraft, ids: Ids): CollectDetails | Payee {
  if (draft.direction === 'inbound') return collectDetails(deps, { ...draft, ...ids }, draft)
  if (!draft.details.payee) throw validationError('beneficiary_id: the beneficiary has no account to pay to.')
  return draft.details.payee
}

/** A fee is charged on what the organisation receives by a payin, or spends on a payout. */
export const chargeableOf = (draft: InitiationDraft): Chargeable => ({
  direction: draft.direction,
  method: draft.method,
  country: draft.country,
  amount: draft.direction === 'outbound' ? draft.source : draft.target,
})
