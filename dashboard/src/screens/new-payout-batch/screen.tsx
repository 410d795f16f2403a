import { useMutation } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { Link } from 'react-router'
import { payoutBatches as text } from '../../messages/generated/texts.ts'
import { paths, payoutBatchPath } from '../../paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { FileField } from '../../ui/file-field.tsx'
import { GuardedButton } from '../../ui/guarded-button.tsx'
import { Table, type Column } from '../../ui/list-page.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import work from '../../ui/work.module.css'
import { Totals } from '../payout-batches/totals.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { sendCsv, type BatchCheck } from './send-csv.ts'

type RowError = BatchCheck['errors'][number]

const words = text.newBatch

export function Screen(): ReactElement {
  const [{ csv, fileId }, setFile] = useState({ csv: '', fileId: '' })
  const [isConfirming, setConfirming] = useState(false)
  const check = useMutation({
    mutationFn: async (content: string): Promise<BatchCheck | undefined> => {
      const result = await sendCsv(content, { dry_run: true })
      return 'is_valid' in result ? result : undefined
    },
  })
  const choose = (file: File | undefined): void => {
    if (!file) return
    const read = async (): Promise<void> => {
      const content = await file.text()
      setFile({ csv: content, fileId: crypto.randomUUID() })
      await check.mutateAsync(content)
    }
    read().catch(() => undefined) // the failure is shown by the mutation
  }
  const checked = check.isPending ? undefined : check.data
  return (
    <Page
      title={words.title}
      aside={
        <Link className={buttonClass(false)} to={paths.payoutBatches}>
          {text.all}
        </Link>
      }
    >
      <div className={work.split}>
        <div className={work.stack}>
          <Panel>
            <div className={ui.dialogBody}>
              <FileField
                name="file"
                label={words.file}
                hint={words.fileHint}
                accept=".csv,text/csv"
                onChoose={choose}
              />
            </div>
          </Panel>
          <div aria-live="polite" className={work.stack}>
            {check.isPending && <Skeleton lines={4} />}
            {check.error && <ErrorState error={check.error} onRetry={() => check.mutate(csv)} />}
            {checked && <Findings checked={checked} />}
          </div>
        </div>
        <div className={work.stack}>
          {checked && <Verdict checked={checked} onSubmit={() => setConfirming(true)} />}
          <Panel title={words.columnsTitle}>
            <div className={work.prose}>
              <p className={ui.requestId}>{words.columns}</p>
              <p className={ui.muted}>{words.columnsText}</p>
            </div>
          </Panel>
        </div>
      </div>
      {isConfirming && checked && (
        <CreateDialog csv={csv} fileId={fileId} checked={checked} onClose={() => setConfirming(false)} />
      )}
    </Page>
  )
}

const columns: readonly Column<RowError>[] = [
  { label: words.row, isEnd: true, cell: ({ row }) => row },
  { label: words.field, cell: ({ field }) => field },
  { label: words.message, cell: ({ message }) => <span className={work.wrapping}>{message}</span> },
]

const Findings = ({ checked }: { checked: BatchCheck }): ReactElement => (
  <>
    {checked.errors.length > 0 && (
      <Panel title={words.errors(checked.error_count, checked.row_count)}>
        {checked.errors.length < checked.error_count && (
          <p className={ui.muted}>{words.firstErrors(checked.errors.length)}</p>
        )}
        <Table
          title={words.errorsTitle}
          columns={columns}
          rows={checked.errors}
          keyOf={({ row, field, message }) => `${row} ${field} ${message}`}
        />
      </Panel>
    )}
    {checked.totals.length > 0 && (
      <Panel
        title={text.totals}
        aside={!checked.is_valid && <span className={ui.muted}>{words.onlyValid}</span>}
      >
        <Totals totals={checked.totals} />
      </Panel>
    )}
  </>
)

const Verdict = ({ checked, onSubmit }: { checked: BatchCheck; onSubmit: () => void }): ReactElement => (
  <Panel title={checked.is_valid ? words.valid(checked.row_count) : words.errorsTitle}>
    <div className={work.decision}>
      {checked.is_valid ? (
        <p className={ui.muted}>{checked.needs_approval ? words.needsApproval : words.sentAtOnce}</p>
      ) : (
        <p className={ui.muted}>{words.mend}</p>
      )}
      {checked.duplicate_of !== null && (
        <Callout tone="wait" title={words.duplicate}>
          <p>{words.duplicateText}</p>
          <Link to={payoutBatchPath(checked.duplicate_of)}>{words.openDuplicate}</Link>
        </Callout>
      )}
      <GuardedButton isPrimary reason={checked.is_valid ? undefined : words.hasErrors} onClick={onSubmit}>
        {checked.duplicate_of === null ? words.submit : words.submitAgain}
      </GuardedButton>
    </div>
  </Panel>
)
