import { Dialog } from '@base-ui/react/dialog'
import { ApiError, OutcomeUnknown } from '@switchyard/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent, type ReactElement, type ReactNode } from 'react'
import { states } from '../messages/generated/texts.ts'
import { Button, buttonClass } from './button.tsx'
import { Facts } from './facts.tsx'
import { FieldErrors } from './fields.tsx'
import type { FormValues } from './pending-submissions.ts'
import { readFields, readSubmission, type ReadField } from './read-form.ts'
import styles from './ui.module.css'
import { useSubmission } from './use-submission.ts'

interface Submission {
  text: ReadField
  /** A repeat of a submission with an unknown outcome has the same key, so that it is carried out once. */
  idempotencyKey: string
}

interface FormDialogProps {
  title: string
  /** What will happen. */
  text?: ReactNode
  submitLabel: string
  isDangerous?: boolean
  /**
   * Names the action and the resource of a dialog that moves money, such as `transfer` and an account id. Its key outlives
   * the dialog until the outcome is known. The submission may depend only on the subject and the fields.
   */
  subject?: string
  onClose: () => void
  /** The dialog closes on success and shows the error on failure. */
  onSubmit: (submission: Submission) => Promise<unknown>
  /** The fields; without any, the dialog only asks for confirmation. */
  children?: ReactNode
}

/**
 * A form or a confirmation in a dialog. The focus is on the first field or on Cancel, so that Enter alone commits nothing.
 * While the outcome is unknown, the form cannot be changed and its button repeats the submission.
 */
export function FormDialog(props: FormDialogProps): ReactElement {
  const { doubt, send, forget } = useSubmission(props.subject)
  // A reopened dialog has empty fields, so the stored submission is shown instead.
  const [isReopened, setReopened] = useState(doubt !== undefined)
  const submit = useMutation({
    mutationFn: (sent: FormValues) =>
      send((idempotencyKey) => props.onSubmit({ text: readFields(sent.fields), idempotencyKey }), sent),
    onSuccess: props.onClose,
  })
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    submit.mutate(doubt ?? readSubmission(event.currentTarget))
  }
  const startOver = (): void => {
    forget()
    setReopened(false)
    submit.reset()
  }
  const isSummary = isReopened && doubt !== undefined
  const details = submit.error instanceof ApiError ? submit.error.details : []
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && !submit.isPending && props.onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.dialog}>
          <form className={styles.dialogBody} onSubmit={onSubmit}>
            <Dialog.Title className={styles.dialogTitle}>{props.title}</Dialog.Title>
            {props.text !== undefined && (
              <Dialog.Description render={<div />} className={styles.muted}>
                {props.text}
              </Dialog.Description>
            )}
            <FieldErrors value={new Map(details.map(({ path, message }) => [path, message]))}>
              {props.children && !isSummary && (
                <fieldset className={styles.dialogFields} disabled={doubt !== undefined}>
                  {props.children}
                </fieldset>
              )}
            </FieldErrors>
            {isSummary && <Facts facts={doubt.shown} />}
            {doubt && <Doubt />}
            {submit.error && !(submit.error instanceof OutcomeUnknown) && <Failure error={submit.error} />}
            <div className={styles.dialogActions}>
              <Dialog.Close className={buttonClass(false)} disabled={submit.isPending}>
                {states.cancel}
              </Dialog.Close>
              {doubt && props.children && (
                <Button disabled={submit.isPending} onClick={startOver}>
                  {states.startOver}
                </Button>
              )}
              <Button
                type="submit"
                isPrimary
                className={props.isDangerous ? styles.dangerous : ''}
                disabled={submit.isPending}
              >
                {props.submitLabel}
              </Button>
            </div>
          </form>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const Doubt = (): ReactElement => (
  <div className={styles.doubt} role="alert">
    {states.outcomeUnknown}
  </div>
)

/** A request with an unknown outcome has not failed; the person should check before they repeat it. */
export function Failure({ error }: { error: Error }): ReactElement {
  if (error instanceof OutcomeUnknown) return <Doubt />
  return (
    <div className={styles.refusal} role="alert">
      {error.message}
      {error instanceof ApiError && error.requestId !== undefined && (
        <span className={styles.requestId}>
          {states.requestId} {error.requestId}
        </span>
      )}
    </div>
  )
}
