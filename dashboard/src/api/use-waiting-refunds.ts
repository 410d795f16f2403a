import type { RefundAwaitingReview } from '@switchyard/sdk'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { api } from './client.ts'

const limit = 100

interface WaitingRefunds {
  rows: readonly RefundAwaitingReview[]
  hasMore: boolean
}

/** The refunds that wait for approval, with what the person may decide about each. */
export const useWaitingRefunds = (isEnabled: boolean): UseQueryResult<WaitingRefunds> =>
  useQuery({
    queryKey: ['approvals', 'refunds'],
    queryFn: async ({ signal }) => {
      const page = await api.refunds.listAwaitingReview({ limit }, { signal }).firstPage()
      return { rows: page.data, hasMore: page.cursor !== undefined }
    },
    enabled: isEnabled,
  })
