import type { DisputeSummary, PaymentRecord, Refund, TimelineEntry } from '@switchyard/sdk'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { api } from '../../api/client.ts'

export interface Timeline {
  data: TimelineEntry[]
  meta: { truncated_kinds: string[]; archived_kinds?: string[]; next_poll_at: string | null }
}

/** The first part of the query keys that a live event about the payment invalidates. */
const name = 'payment'

export const paymentKey = (paymentId: string) => [name, paymentId] as const

export const usePayment = (paymentId: string): UseQueryResult<PaymentRecord> =>
  useQuery({
    queryKey: paymentKey(paymentId),
    queryFn: ({ signal }) => api.payments.get(paymentId, { signal }),
  })

/** Includes `meta`, which has the time of the next inquiry; the SDK's method leaves it out. */
export const useTimeline = (paymentId: string): UseQueryResult<Timeline> =>
  useQuery({
    queryKey: [name, paymentId, 'timeline'],
    queryFn: async ({ signal }) =>
      (await api.request('GET', `/v1/payments/${paymentId}/timeline`, { signal })) as Timeline, // the server validates its responses
  })

export const useRefunds = (paymentId: string): UseQueryResult<Refund[]> =>
  useQuery({
    queryKey: [name, paymentId, 'refunds'],
    queryFn: ({ signal }) => api.payments.listRefunds(paymentId, { signal }),
  })

export const useDisputes = (paymentId: string, isEnabled: boolean): UseQueryResult<DisputeSummary[]> =>
  useQuery({
    queryKey: [name, paymentId, 'disputes'],
    queryFn: async ({ signal }) =>
      (await api.disputes.list({ payment_id: paymentId }, { signal }).firstPage()).data,
    enabled: isEnabled,
  })
