import { render } from 'preact';
import './style/tokens.css';
import './style/base.css';
import './style/shell.css';
import './style/library.css';
import './style/prompt.css';
import './style/time.css';
import { App } from './shell/app.tsx';
import { listenToChanges } from './state/api.ts';
import { applyTheme } from './state/theme.ts';

applyTheme();
listenToChanges();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
