/** Bodies of requests by the id of their operation, each under a title. A test sends every one of them. */
export type Examples = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Ids and texts that stand for those of the reader's own resources; the test puts real ones in their place. */
export const sample = {
  org_id: '0198c0de-7a1b-7c3d-9e4f-000000000001',
  user_id: 'auth0|6650f1c2',
  beneficiary_id: '0198c0de-7a1b-7c3d-9e4f-000000000002',
  account_id: '0198c0de-7a1b-7c3d-9e4f-000000000003',
  to_account_id: '0198c0de-7a1b-7c3d-9e4f-000000000004',
  transaction_id: '0198c0de-7a1b-7c3d-9e4f-000000000005',
  org_rate_id: '0198c0de-7a1b-7c3d-9e4f-000000000006',
  party_id: '0198c0de-7a1b-7c3d-9e4f-000000000007',
  webhook_id: '0198c0de-7a1b-7c3d-9e4f-000000000008',
} as const
