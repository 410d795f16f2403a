import type { Beneficiary } from '@switchyard/sdk'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useMay } from '../shell/session.tsx'
import { api } from './client.ts'

/** As many as a list to choose from can hold; the page of any other beneficiary leads to the form as well. */
const beneficiaryLimit = 500

/** Those who can be paid, for a list to choose from. */
export const useBeneficiaries = (isNeeded = true): UseQueryResult<Beneficiary[]> =>
  useQuery({
    queryKey: ['beneficiaries', 'to-choose'],
    queryFn: ({ signal }) =>
      api.beneficiaries.list({ limit: 100 }, { signal }).toArray({ limit: beneficiaryLimit }),
    enabled: useMay('beneficiaries:read') && isNeeded,
  })

export const nameOfBeneficiary = ({ fname, lname }: Pick<Beneficiary, 'fname' | 'lname'>): string =>
  `${fname} ${lname}`
