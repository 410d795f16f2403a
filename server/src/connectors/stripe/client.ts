import type { ConnectorContext } from '../kit/connector.ts'
import type { Form } from '../kit/form-body.ts'
import { bareEnvelope } from '../kit/replies.ts'
import { bearer, createReplyClient, formBody, type ReplyClient } from '../kit/reply-client.ts'
import { refusalSchema } from './answers.ts'
import type { StripeCredentials } from './credentials.ts'
import type { PageBudget } from './page-budget.ts'

export interface Deps extends ConnectorContext<StripeCredentials> {
  /** Only requests that may be carried out twice have no idempotency key. */
  client: ReplyClient<Form>
  /** Shared by all look-ups at the account. */
  budget: PageBudget
}

export function createClient({ http, credentials }: Omit<Deps, 'client' | 'budget'>): Deps['client'] {
  const { baseUrl, secretKey, apiVersion } = credentials
  const headers = { ...bearer(secretKey), 'stripe-version': apiVersion }
  return createReplyClient({ http, baseUrl, headers, envelopeOf }, formBody)
}

export const envelopeOf = bareEnvelope(refusalSchema, ({ error }) => error)
