import { ApiError, type Beneficiary } from '@switchyard/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type FormEvent, type ReactElement } from 'react'
import { Link, useSearchParams } from 'react-router'
import { api } from '../../api/client.ts'
import { nameOfBeneficiary, useBeneficiaries } from '../../api/use-beneficiaries.ts'
import { newPayment as text } from '../../messages/generated/texts.ts'
import { paths } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { FieldErrors, SelectField, TextField } from '../../ui/fields.tsx'
import { Failure } from '../../ui/form-dialog.tsx'
import styles from '../../ui/form.module.css'
import { Page, Panel } from '../../ui/page.tsx'
import { readForm } from '../../ui/read-form.ts'
import { Forbidden, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import { useSubmission } from '../../ui/use-submission.ts'
import work from '../../ui/work.module.css'
import { Doubt } from './doubt.tsx'
import { PayinFields } from './payin-fields.tsx'
import { PayoutFields } from './payout-fields.tsx'
import { planPayment, type Plan } from './plan.ts'
import { PreviewPanel } from './preview-panel.tsx'
import { readPayin, readPayout, type Method, type PaymentDraft } from './read-payment.ts'
import { SendDialog } from './send-dialog.tsx'

export function Screen(): ReactElement {
  const mayWrite = useMay('payments:write')
  const [formNumber, setFormNumber] = useState(1)
  return (
    <Page
      title={text.title}
      aside={
        <Link className={buttonClass(false)} to={paths.payments}>
          {text.all}
        </Link>
      }
    >
      {mayWrite ? (
        <NewPayment key={formNumber} onRestart={() => setFormNumber(formNumber + 1)} />
      ) : (
        <Forbidden permission="payments:write" />
      )}
    </Page>
  )
}

/** The form, its preview beside it, and a confirmation. Only a previewed request can be sent. */
function NewPayment({ onRestart }: { onRestart: () => void }): ReactElement {
  const [isConfirming, setConfirming] = useState(false)
  const { doubt, send } = useSubmission()
  const plan = useMutation({
    mutationFn: ({ typed, party }: { typed: PaymentDraft; party: string }) => planPayment(typed, party),
  })
  const details = plan.error instanceof ApiError ? plan.error.details : []
  return (
    <div className={work.split}>
      <FieldErrors value={new Map(details.map(({ path, message }) => [path, message]))}>
        <PaymentForm
          isLocked={doubt !== undefined || plan.isPending}
          hasPreview={plan.data !== undefined}
          onChange={plan.reset}
          onPreview={(typed, party) => plan.mutate({ typed, party })}
        />
      </FieldErrors>
      <div className={`${work.stack} ${styles.sticky}`} aria-live="polite">
        {doubt && (
          <Doubt
            reference={plan.data?.body.client_reference}
            onAgain={() => setConfirming(true)}
            onRestart={onRestart}
          />
        )}
        {plan.isPending && <Skeleton lines={6} />}
        {plan.error && <Failure error={plan.error} />}
        {plan.isIdle && (
          <Panel title={text.previewTitle}>
            <p className={`${work.prose} ${ui.muted}`}>{text.previewEmpty}</p>
          </Panel>
        )}
        {plan.data && <PreviewPanel plan={plan.data} onSend={() => setConfirming(true)} />}
      </div>
      {isConfirming && plan.data && (
        <SendDialog plan={plan.data} send={send} onClose={() => setConfirming(false)} />
      )}
    </div>
  )
}

interface PaymentFormProps {
  isLocked: boolean
  hasPreview: boolean
  /** A change to the form invalidates the preview. */
  onChange: () => void
  onPreview: (typed: PaymentDraft, party: Plan['party']) => void
}

function PaymentForm({ isLocked, hasPreview, onChange, onPreview }: PaymentFormProps): ReactElement {
  const [query] = useSearchParams()
  const [direction, setDirection] = useState(query.get('kind') === 'payout' ? 'payout' : 'payin')
  const [method, setMethod] = useState<Method>('mobile_money')
  const payout = useChosenBeneficiary(direction === 'payout')
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const field = readForm(event)
    if (direction === 'payin')
      onPreview(readPayin(field, method), field('payer_details.name') || text.confirm.thePayer)
    else if (payout.chosen) onPreview(readPayout(field, payout.chosen), nameOfBeneficiary(payout.chosen))
  }
  return (
    <form onSubmit={submit} onChange={onChange}>
      <fieldset className={styles.form} disabled={isLocked}>
        <Panel>
          <div className={`${styles.fields} ${styles.first}`}>
            <SelectField
              name="direction"
              label={text.kind}
              options={text.kinds}
              value={direction}
              onChange={({ target }) => setDirection(target.value)}
            />
          </div>
        </Panel>
        {direction === 'payin' ? (
          <PayinFields method={method} onMethod={setMethod} />
        ) : (
          <PayoutFields
            beneficiary={payout.chosen}
            beneficiaries={payout.beneficiaries}
            onChoose={payout.choose}
          />
        )}
        <Panel title={text.notesTitle}>
          <div className={styles.fields}>
            <TextField
              name="client_reference"
              label={text.reference}
              hint={text.referenceHint}
              maxLength={255}
            />
            <TextField name="description" label={text.description} maxLength={500} />
          </div>
        </Panel>
        <div className={work.row}>
          <Button type="submit" isPrimary={!hasPreview}>
            {hasPreview ? text.previewAgain : text.preview}
          </Button>
        </div>
      </fieldset>
    </form>
  )
}

interface ChosenBeneficiary {
  beneficiaries: readonly Beneficiary[] | undefined
  chosen: Beneficiary | undefined
  choose: (beneficiaryId: string) => void
}

/** A beneficiary's page links here with their id, which may not be in the select. */
function useChosenBeneficiary(isNeeded: boolean): ChosenBeneficiary {
  const [query] = useSearchParams()
  const asked = query.get('beneficiary') ?? ''
  const [chosenId, setChosenId] = useState(asked)
  const { data: listed } = useBeneficiaries(isNeeded)
  const { data: named } = useQuery({
    queryKey: ['beneficiaries', 'one', asked],
    queryFn: ({ signal }) => api.beneficiaries.get(asked, { signal }),
    enabled: isNeeded && asked !== '',
  })
  const others = listed?.filter(({ beneficiary_id }) => beneficiary_id !== named?.beneficiary_id)
  const beneficiaries = named ? [named, ...(others ?? [])] : others
  return {
    beneficiaries,
    chosen: beneficiaries?.find(({ beneficiary_id }) => beneficiary_id === chosenId),
    choose: setChosenId,
  }
}
