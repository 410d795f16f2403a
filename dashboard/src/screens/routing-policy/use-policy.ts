import type { RoutingPolicySummary, RoutingPolicyVersion } from '@switchyard/sdk'
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { withNumbers, type Policy } from './policy.ts'

const key = 'routing-policies'
const versionLimit = 1_000

export interface Version extends Omit<RoutingPolicyVersion, 'document'> {
  document: Policy
}

export const useVersions = (): UseQueryResult<RoutingPolicySummary[]> =>
  useQuery({
    queryKey: [key, 'versions'],
    queryFn: ({ signal }) =>
      api.routingPolicies.list({ limit: 100 }, { signal }).toArray({ limit: versionLimit }),
  })

/** A version's document never changes, but its state does. The SDK's method would parse metadata as decimals. */
export const useVersion = (version: number | undefined): UseQueryResult<Version> =>
  useQuery({
    queryKey: [key, 'version', version],
    queryFn: async ({ signal }) =>
      versionOf(await api.request('GET', `/v1/routing/policies/${version}`, { signal })),
    enabled: version !== undefined,
  })

export const useDiff = (version: number) =>
  useQuery({
    queryKey: [key, 'diff', version],
    queryFn: ({ signal }) => api.routingPolicies.diff(String(version), {}, { signal }),
  })

export const saveDraft = async (
  document: Policy,
  note: string,
  options: { idempotencyKey: string },
): Promise<Version> =>
  versionOf(
    await api.request('PUT', '/v1/routing/policies/draft', {
      body: { document, note: note === '' ? null : note },
      ...options,
    }),
  )

function versionOf(answer: unknown): Version {
  const { data } = answer as { data: RoutingPolicyVersion } // the server validates its responses
  return { ...data, document: withNumbers(data.document) as Policy } // it has validated the document, too
}

export function useRefresh(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: [key] })
}
