import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactElement, ReactNode } from 'react'
import { Table, type Column } from './list-page.tsx'
import { Panel } from './page.tsx'
import { EmptyState, ErrorState, Skeleton } from './states.tsx'
import styles from './work.module.css'

interface RowsPanelProps<Row> {
  title: string
  result: Pick<UseQueryResult<unknown>, 'error' | 'refetch'>
  /** Undefined while the rows are loading. */
  rows: readonly Row[] | undefined
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  pathOf?: (row: Row) => string
  empty: { title: string; text?: string; action?: ReactNode }
  /** Shown below the rows if there are more. */
  more?: string | undefined
}

/** A panel of rows inside a page, with a message for each of its states. */
export const RowsPanel = <Row,>(props: RowsPanelProps<Row>): ReactElement => {
  const { result, rows } = props
  return (
    <Panel>
      {result.error && <ErrorState error={result.error} onRetry={() => void result.refetch()} />}
      {!rows && !result.error && <Skeleton lines={5} />}
      {rows?.length === 0 && !result.error && <EmptyState {...props.empty} />}
      {rows && rows.length > 0 && !result.error && <Table {...props} rows={rows} />}
      {props.more !== undefined && !result.error && <p className={styles.more}>{props.more}</p>}
    </Panel>
  )
}
