import { afterAll } from 'vitest'
import { removeFolders } from './folder.ts'

// Vitest runs this for each file, also where files share what they import.
afterAll(removeFolders)
