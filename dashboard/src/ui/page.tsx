import { useEffect, useRef, type ReactElement, type ReactNode } from 'react'
import { shell } from '../messages/generated/texts.ts'
import styles from './ui.module.css'

/** The heading receives the focus after a navigation, so that screen readers announce the new page. */
export function Page({
  title,
  above,
  beside,
  aside,
  children,
}: {
  title: string
  /** A link to the parent page. */
  above?: ReactNode
  /** Right after the title, such as a status. */
  beside?: ReactNode
  aside?: ReactNode
  children: ReactNode
}): ReactElement {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · ${shell.product}`
    heading.current?.focus({ preventScroll: true })
  }, [title])
  return (
    <div className={styles.page}>
      <div className={styles.pageHead}>
        <div className={styles.pageTitle}>
          {above !== undefined && <div className={styles.above}>{above}</div>}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {beside}
        </div>
        {aside}
      </div>
      {children}
    </div>
  )
}

/** Wide tables scroll sideways on small screens; the keyboard can scroll them too. */
export const Scroll = ({ label, children }: { label: string; children: ReactNode }): ReactElement => (
  <div className={styles.scroll} role="group" aria-label={label} tabIndex={0}>
    {children}
  </div>
)

export const Panel = ({
  title,
  aside,
  children,
}: {
  title?: string
  aside?: ReactNode
  children: ReactNode
}): ReactElement => (
  <section className={styles.panel} {...(title !== undefined && { 'aria-label': title })}>
    {title !== undefined && (
      <div className={styles.panelHead}>
        <h2>{title}</h2>
        {aside}
      </div>
    )}
    {children}
  </section>
)
