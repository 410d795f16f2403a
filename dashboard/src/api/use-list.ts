import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { Page, Pages } from '@switchyard/sdk'
import type { ListAddress } from '../ui/list-address.ts'
import { pageSize } from './early-requests.ts'

interface ListQuery {
  limit: number
  last_evaluated_key?: string
}

/**
 * One page of a list, as given by the URL. It does not follow live changes, because rows must not move under the
 * pointer; a screen offers a button instead. The name is the first part of the query's key.
 */
export const useList = <Row>(
  name: string,
  { filters, cursor }: ListAddress,
  list: (query: ListQuery, options: { signal: AbortSignal }) => Pages<Row>,
): UseQueryResult<Page<Row>> =>
  useQuery({
    queryKey: [name, filters, cursor],
    queryFn: ({ signal }) =>
      list(
        { limit: pageSize, ...filters, ...(cursor !== '' && { last_evaluated_key: cursor }) },
        { signal },
      ).firstPage(),
    placeholderData: keepPreviousData,
    meta: { isStill: true },
  })
