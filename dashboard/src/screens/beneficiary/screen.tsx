import type { Beneficiary } from '@switchyard/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { Link, useParams } from 'react-router'
import { api } from '../../api/client.ts'
import { beneficiaries as text, newPayment } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { paths } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import work from '../../ui/work.module.css'
import { mask } from '../beneficiaries/mask.ts'
import { BeneficiaryActions } from './actions.tsx'

export function Screen(): ReactElement {
  const { beneficiaryId = '' } = useParams()
  const mayWrite = useMay('beneficiaries:write')
  const mayPay = useMay('payments:write')
  const { data, error, refetch } = useQuery({
    queryKey: ['beneficiaries', 'one', beneficiaryId],
    queryFn: ({ signal }) => api.beneficiaries.get(beneficiaryId, { signal }),
  })
  return (
    <Page
      title={data ? `${data.fname} ${data.lname}` : text.page}
      aside={
        <div className={work.row}>
          {data && mayPay && data.account_type !== 'wallet' && (
            <Link
              className={buttonClass(true)}
              to={`${paths.newPayment}?kind=payout&beneficiary=${data.beneficiary_id}`}
            >
              {newPayment.send.payout}
            </Link>
          )}
          {data && mayWrite && <BeneficiaryActions beneficiary={data} />}
          <Link className={buttonClass(false)} to={paths.beneficiaries}>
            {text.all}
          </Link>
        </div>
      }
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={6} />}
      {data && (
        <>
          <AccountPanel beneficiary={data} />
          <DetailsPanel beneficiary={data} />
        </>
      )}
    </Page>
  )
}

/** The numbers are masked until a person who may see them reveals them. */
function AccountPanel({ beneficiary }: { beneficiary: Beneficiary }): ReactElement {
  const mayReveal = useMay('personal-data:read')
  const [isRevealed, setRevealed] = useState(false)
  const { bank_details: bank, momo_details: momo } = beneficiary
  const shown = (number: string | undefined): string | undefined =>
    number === undefined || isRevealed ? number : mask(number)
  return (
    <Panel
      title={nameOf(text.types, beneficiary.account_type)}
      aside={
        mayReveal && (
          <Button aria-pressed={isRevealed} onClick={() => setRevealed(!isRevealed)}>
            {isRevealed ? text.hide : text.reveal}
          </Button>
        )
      }
    >
      <Facts
        facts={[
          { label: text.holder, value: bank.account_name },
          { label: text.number, value: shown(bank.account_number ?? momo.phone_number) },
          { label: text.iban, value: shown(bank.iban) },
          { label: text.bank, value: bank.bank_name },
          { label: text.bankCode, value: bank.bank_code },
          { label: text.sortCode, value: bank.sort_code },
          { label: text.swift, value: bank.swift_code },
          { label: text.network, value: momo.provider },
          { label: text.country, value: beneficiary.country },
          { label: text.currency, value: beneficiary.currency },
        ]}
      />
    </Panel>
  )
}

const DetailsPanel = ({ beneficiary }: { beneficiary: Beneficiary }): ReactElement => (
  <Panel title={text.details}>
    <Facts
      facts={[
        { label: text.email, value: beneficiary.email },
        { label: text.phone, value: mask(beneficiary.phone_number) },
        {
          label: text.id,
          value: (
            <>
              {beneficiary.beneficiary_id} <CopyButton text={beneficiary.beneficiary_id} label={text.id} />
            </>
          ),
        },
        { label: text.created, value: <Moment at={beneficiary.created_at} isExact /> },
      ]}
    />
  </Panel>
)
