import type { Beneficiary } from '@switchyard/sdk'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useMay } from '../shell/session.tsx'
import { api } from './client.ts'

/** The most that a select can reasonably hold. Any other beneficiary's page has a link to the form. */
const beneficiaryLimit = 500

/** The beneficiaries who can be paid, for a select. */
export const useBeneficiaries = (isNeeded = true): UseQueryResult<Beneficiary[]> =>
  useQuery({
    queryKey: ['beneficiaries', 'to-choose'],
    queryFn: ({ signal }) =>
      api.beneficiaries.list({ limit: 100 }, { signal }).toArray({ limit: beneficiaryLimit }),
    enabled: useMay('beneficiaries:read') && isNeeded,
  })

export const nameOfBeneficiary = ({ fname, lname }: Pick<Beneficiary, 'fname' | 'lname'>): string =>
  `${fname} ${lname}`
