import { useEffect, type ReactElement } from 'react'
import { useSearchParams } from 'react-router'
import { shell, signIn } from '../../messages/generated/texts.ts'
import { basePath, loginUrl } from '../../paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import mark from '../../ui/mark.svg'
import styles from './sign-in.module.css'

type LoginFailure = keyof typeof signIn.errors

const failures = Object.keys(signIn.errors) as LoginFailure[] // the keys of a constant

export function Screen(): ReactElement {
  const [query] = useSearchParams()
  const failure = failures.find((known) => known === query.get('error'))
  // The identity provider remembers the person and would sign them in the same way again.
  const isAnotherNeeded = failure === 'not-a-member' || failure === 'too-weak'
  const isSignedOut = query.has('signed-out')
  const returnTo = `${basePath}${query.get('return_to') ?? ''}`
  useEffect(() => {
    document.title = `${shell.screens.signIn} · ${shell.product}`
  }, [])
  return (
    <main className={styles.screen}>
      <div className={styles.card}>
        <img src={mark} alt="" />
        <h1>{signIn.title}</h1>
        {failure && (
          <p className={styles.error} role="alert">
            {signIn.errors[failure]}
          </p>
        )}
        {isSignedOut && <p className={styles.note}>{signIn.signedOut}</p>}
        <p className={styles.text}>{signIn.text}</p>
        {/* The identity provider may still remember the person, so it asks who they are. */}
        <a
          className={`${buttonClass(true)} ${styles.button}`}
          href={loginUrl(returnTo, isSignedOut || isAnotherNeeded ? 'login' : undefined)}
        >
          {signIn.button}
        </a>
      </div>
    </main>
  )
}
