import type { Escrow, EscrowParty, Milestone, VirtualAccount } from '@switchyard/sdk'
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { showToast } from '../../shell/toasts.tsx'

export const useEscrow = (escrowId: string): UseQueryResult<Escrow> =>
  useQuery({
    queryKey: ['escrows', 'one', escrowId],
    queryFn: ({ signal }) => api.escrows.get(escrowId, { signal }),
  })

export const useParties = (escrowId: string): UseQueryResult<EscrowParty[]> =>
  useQuery({
    queryKey: ['escrows', 'parties', escrowId],
    queryFn: ({ signal }) => api.escrowParties.list(escrowId, { signal }),
  })

/** Shares are paid one by one in the background and are not announced, so they are polled. */
const pollMs = 3_000

export const useMilestones = (escrowId: string): UseQueryResult<Milestone[]> =>
  useQuery({
    queryKey: ['escrows', 'milestones', escrowId],
    queryFn: ({ signal }) => api.milestones.list(escrowId, { signal }),
    refetchInterval: ({ state }) =>
      (state.data ?? []).some(({ status }) => status === 'disbursing') && pollMs,
  })

const accountLimit = 500

/** The accounts that can fund the escrow or receive a share. */
export const useAccounts = ({ currency }: Escrow): UseQueryResult<VirtualAccount[]> =>
  useQuery({
    queryKey: ['virtual-accounts', 'to-choose', currency],
    queryFn: ({ signal }) =>
      api.virtualAccounts
        .list({ currency, status: 'active', limit: 100 }, { signal })
        .toArray({ limit: accountLimit }),
  })

/** Accounts by id, for a select; escrow accounts are left out. */
export const accountOptions = (accounts: readonly VirtualAccount[] | undefined): Record<string, string> =>
  Object.fromEntries(
    (accounts ?? [])
      .filter(({ account_type }) => account_type !== 'escrow')
      .map(({ account_id, virtual_account_name: name, customer_id: customer }) => [
        account_id,
        [name, customer, account_id.slice(0, 8)].filter((part) => part !== '').join(' · '),
      ]),
  )

/** Shows what was done, and reloads the escrow with its parties and milestones. */
export function useDone(): (text: string) => Promise<void> {
  const client = useQueryClient()
  return (text) => {
    showToast(text)
    return client.invalidateQueries({ queryKey: ['escrows'] })
  }
}
