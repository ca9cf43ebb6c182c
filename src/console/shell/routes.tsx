import { lazy, Suspense, type ComponentType } from 'react'
import { Route, Switch } from 'wouter'
import { ButtonLink } from '../parts/button.tsx'
import { Waiting } from '../parts/loaded.tsx'
import { Empty } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { useWords } from './language.tsx'
import { useMe, type Permission } from './me.tsx'

const RELOADED = 'institute.reloaded'

/** The server was updated while the page was open: the part that it asks for has another name now. A fresh page knows it. */
const reloadOnce = (error: unknown): never => {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0)
  if (Date.now() - last < 60_000) throw error
  sessionStorage.setItem(RELOADED, String(Date.now()))
  location.reload()
  throw error
}

/** A screen that is loaded when somebody opens it. */
const screen = <P extends object>(load: () => Promise<{ Screen: ComponentType<P> }>) =>
  lazy(() => load().then(({ Screen }) => ({ default: Screen }), reloadOnce))

interface Screen {
  path: string
  Screen: ComponentType
  /** One of these is needed; none: whoever is signed in. */
  needs?: readonly Permission[]
}

const SCREENS: readonly Screen[] = [
  { path: '/', Screen: screen(() => import('../screens/today/page.tsx')) },
  { path: '/today', Screen: screen(() => import('../screens/today/page.tsx')) },
]

const NotThere = () => {
  const { shell } = useWords()
  return (
    <Page title={shell.notThere.title}>
      <Empty>
        <p>{shell.notThere.text}</p>
        <ButtonLink to="/today" look="primary">
          {shell.notThere.home}
        </ButtonLink>
      </Empty>
    </Page>
  )
}

const NotAllowed = () => {
  const { shell } = useWords()
  return (
    <Page title={shell.notAllowed.title}>
      <Empty>
        <p>{shell.notAllowed.text}</p>
        <ButtonLink to="/today" look="primary">
          {shell.notThere.home}
        </ButtonLink>
      </Empty>
    </Page>
  )
}

/** Shows the screen of the address. Each address can be sent to somebody else, and reloaded. */
export const Routes = () => {
  const { can } = useMe()
  return (
    <Suspense fallback={<Waiting />}>
      <Switch>
        {SCREENS.map(({ path, Screen, needs }) => (
          <Route key={path} path={path}>
            {!needs || can(...needs) ? <Screen /> : <NotAllowed />}
          </Route>
        ))}
        <Route>
          <NotThere />
        </Route>
      </Switch>
    </Suspense>
  )
}
