import './style/tokens.css';
import './style/layout.css';
import './style/parts.css';
import './style/bench.css';
import { render } from 'preact';
import { Playground } from './app';

const place = document.getElementById('app')!;
place.textContent = '';
render(<Playground />, place);
