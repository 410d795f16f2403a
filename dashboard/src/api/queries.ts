import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { call } from './client.ts'
import type { CurrentSession, ListedSession, Me, Page, Transaction, Trends } from './types.ts'

const pageSize = 50
const minuteMs = 60_000

export const meKey = ['me'] as const

export interface Identity {
  me: Me
  session: CurrentSession
}

export async function fetchIdentity(): Promise<Identity> {
  const [me, session] = await Promise.all([
    call<{ data: Me }>('/v1/users/me'),
    call<{ data: CurrentSession }>('/auth/session'),
  ])
  return { me: me.data, session: session.data }
}

export type PaymentFilters = Readonly<Record<string, string>>

export const usePayments = (filters: PaymentFilters, cursor: string): UseQueryResult<Page<Transaction>> =>
  useQuery({
    queryKey: ['payments', filters, cursor],
    queryFn: ({ signal }) =>
      call<Page<Transaction>>('/v1/transactions', {
        query: { ...filters, limit: String(pageSize), last_evaluated_key: cursor },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

/** How many there are, as far as one page tells. */
export interface Count {
  shown: number
  hasMore: boolean
}

const countLimit = 100

export const useCount = (
  key: string,
  path: string,
  { query = {}, isEnabled }: { query?: Record<string, string>; isEnabled: boolean },
): UseQueryResult<Count> =>
  useQuery({
    queryKey: [key, 'count', query],
    queryFn: async ({ signal }) => {
      const page = await call<Page<unknown>>(path, { query: { ...query, limit: String(countLimit) }, signal })
      return { shown: page.data.length, hasMore: page.last_evaluated_key !== null }
    },
    enabled: isEnabled,
  })

export const useRecentFailures = (isEnabled: boolean): UseQueryResult<Page<Transaction>> =>
  useQuery({
    queryKey: ['payments', 'failures'],
    queryFn: ({ signal }) =>
      call<Page<Transaction>>('/v1/transactions', { query: { status: 'failed', limit: '5' }, signal }),
    enabled: isEnabled,
  })

export const useTrends = (
  range: { dateFrom: string; dateTo: string; timeZone: string },
  isEnabled: boolean,
): UseQueryResult<Trends> =>
  useQuery({
    queryKey: ['trends', range],
    queryFn: async ({ signal }) =>
      (await call<{ data: Trends }>('/v1/transactions/analytics/trends', { query: { ...range }, signal }))
        .data,
    enabled: isEnabled,
    staleTime: minuteMs,
  })

export const sessionsKey = ['sessions'] as const

export const useSessions = (): UseQueryResult<ListedSession[]> =>
  useQuery({
    queryKey: sessionsKey,
    queryFn: async ({ signal }) => (await call<{ data: ListedSession[] }>('/auth/sessions', { signal })).data,
  })
